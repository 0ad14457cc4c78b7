import { X509Certificate } from 'node:crypto';
import { present } from '@dmarc-ledger/vocabulary';
import type { Ask, Fetched } from '../ask.ts';
import { readBimiRecord, type BimiRecord } from '../records/bimi-record.ts';
import { recordsAt } from '../records/servers-differ.ts';
import { candidatesOf } from '../records/tag-list.ts';
import { isDmarcEnforced } from '../records/dmarc-enforced.ts';
import { finding, missing, UNREACHABLE, type Check, type CheckContext, type Finding } from './check.ts';
import { details } from './details.ts';

/** (BIMI draft; rules, domain-checks/bimi) */
export const bimiCheck: Check = {
  protocol: 'bimi',
  names: (domain) => [`default._bimi.${domain}`],
  async run(ask, context) {
    const { domain, organizationalDomain } = context;
    for (const at of new Set([domain, organizationalDomain])) {
      const answer = recordsAt(await ask.text(`default._bimi.${at}`), (texts) => candidatesOf(texts, 'BIMI1'));
      if (answer.kind === 'unconfirmed') return UNREACHABLE;
      const records = answer.kind === 'found' ? answer.values : [];
      if (records.length === 0) continue;
      const judgement = await judgeRecords(ask, records, context);
      return { ...judgement, records, ...(at !== domain && { inheritedFrom: at }) };
    }
    return {
      ...missing(details.bimiMissing()),
      facts: { isEnforced: (await isDmarcEnforced(ask.text, context)) ?? null },
    };
  },
};

async function judgeRecords(ask: Ask, records: readonly string[], context: CheckContext): Promise<Finding> {
  const broken = (reason: string) => finding('error', details.bimiUnusable({ reason }));
  if (records.length > 1) return broken('there are several');
  const record = readBimiRecord(present(records[0]));
  if ('reason' in record) return broken(record.reason);
  if (record.logo === null) return finding('ok', details.bimiDeclined());
  const logo = await ask.fetch(record.logo.hostname, pathOf(record.logo), { mayBeGzip: true });
  if (logo.kind === 'silent') return silent(record.logo);
  const fault = faultOfLogo(logo);
  if (fault) return broken(fault);
  const isEnforced = await isDmarcEnforced(ask.text, context);
  if (isEnforced === undefined) return finding('unknown', UNREACHABLE.details);
  if (!isEnforced) return finding('warning', details.bimiUnenforced());
  return await judgeEvidence(ask, record, context);
}

async function judgeEvidence(
  ask: Ask,
  { evidence }: BimiRecord,
  { domain, organizationalDomain, now }: CheckContext,
): Promise<Finding> {
  const none = finding('warning', details.bimiUncertified());
  if (!evidence) return none;
  const fetched = await ask.fetch(evidence.hostname, pathOf(evidence));
  if (fetched.kind === 'silent') return silent(evidence);
  const isGood = fetched.kind === 'text' && isCertificateFor(fetched.body, [domain, organizationalDomain], now);
  return isGood ? finding('ok', details.bimiGood()) : none;
}

function faultOfLogo(fetched: Exclude<Fetched, { kind: 'silent' }>): string | undefined {
  if (fetched.kind === 'rejected') return `the logo cannot be fetched (${fetched.reason})`;
  return /<svg[\s>]/i.test(fetched.body) ? undefined : 'the logo is not an SVG';
}

/** Checks the first certificate of a PEM: its validity period, and its domain. Its chain is not followed. */
function isCertificateFor(pem: string, domains: readonly string[], now: Date): boolean {
  try {
    const { validFromDate, validToDate, subjectAltName = '' } = new X509Certificate(pem);
    const names = new Set(subjectAltName.split(',').map((entry) => entry.trim().replace(/^DNS:/i, '').toLowerCase()));
    const isNamed = domains.some((domain) => names.has(domain) || names.has(`default._bimi.${domain}`));
    return validFromDate <= now && now <= validToDate && isNamed;
  } catch {
    return false;
  }
}

function silent({ hostname }: URL): Finding {
  return finding('unknown', details.silentHost({ host: hostname }));
}

function pathOf({ pathname, search }: URL): string {
  return pathname + search;
}
