import type { DmarcPolicy } from '@dmarc-ledger/vocabulary';
import type { Ask } from '../ask.ts';
import type { DmarcRecord } from '../records/dmarc-record.ts';
import { isOurs, type ReportUri } from '../records/report-address.ts';
import { candidatesOf, strayNotes } from '../records/tag-list.ts';
import { policyFor, walkDmarc, type DmarcWalk } from '../records/tree-walk.ts';
import {
  finding,
  missing,
  UNREACHABLE,
  type Check,
  type CheckContext,
  type Finding,
  type ReportingFacts,
} from './check.ts';
import { details } from './details.ts';
import { unauthorizedNote } from './unauthorized-note.ts';

const STRENGTH: { readonly [policy in DmarcPolicy]: number } = { none: 0, quarantine: 1, reject: 2 };

export const dmarcCheck: Check = {
  protocol: 'dmarc',
  names: (domain) => [`_dmarc.${domain}`],
  async run(ask, context) {
    const walk = await walkDmarc(context.domain, ask.text);
    const judged = judgeDmarc(walk, context);
    if (!walk.applied) return judged;
    const { notes, facts } = await findUnauthorized(ask, walk.applied, context);
    return { ...judged, notes: [...(judged.notes ?? []), ...notes], ...(facts && { facts }) };
  },
};

/** So many hosts are asked about, ours before those named first: the owner of a record chooses them. */
const ASKED_HOSTS = 10;

/**
 * Notes the hosts of other organizations that do not accept reports about the domain: reporters must not send any
 * there. The same holds for failure reports. The facts name our host's missing record if no aggregate report may be
 * sent to us. (RFC 9990, 4; RFC 9991, 5; rules, domain-checks/reporting-to-another-organization)
 */
async function findUnauthorized(
  ask: Ask,
  { record, at }: NonNullable<DmarcWalk['applied']>,
  { domain, organizationalDomain, ours }: CheckContext,
): Promise<{ notes: string[]; facts?: ReportingFacts }> {
  const isIgnored = record.psd === 'y' && at !== domain; // of a public suffix (RFC 9991, 2)
  const uris = [...record.rua, ...(isIgnored ? [] : record.ruf)];
  const areOurs = (some: typeof uris) => some.filter((uri) => isOurs([uri], ours));
  const others = hostsOf([...areOurs(uris), ...uris]).filter(
    (host) => host !== organizationalDomain && !host.endsWith(`.${organizationalDomain}`),
  );
  const answers = await Promise.all(
    others.slice(0, ASKED_HOSTS).map(async (host) => {
      const name = `${at}._report._dmarc.${host}`;
      const answer = await ask.text(name);
      const isSaid = answer.kind === 'found' && candidatesOf(answer.values, 'DMARC1').length > 0;
      return { host, record: name, isMissing: !isSaid && answer.kind !== 'unconfirmed' };
    }),
  );
  const unauthorized = answers.filter(({ isMissing }) => isMissing);
  const waiting = hostsOf(areOurs(record.rua)).map((host) => unauthorized.find((each) => each.host === host));
  const first = waiting.every((each) => each !== undefined) ? waiting[0] : undefined;
  return { notes: unauthorized.map(unauthorizedNote), ...(first && { facts: { permissionMissing: first.record } }) };
}

/** The hosts of the addresses, each once. */
function hostsOf(uris: readonly ReportUri[]): string[] {
  const addresses = uris.flatMap(({ address }) => address ?? []);
  return [...new Set(addresses.map((address) => address.slice(address.lastIndexOf('@') + 1)))];
}

/** (rules, domain-checks/dmarc-record) */
function judgeDmarc(walk: DmarcWalk, { domain, ours }: Pick<CheckContext, 'domain' | 'ours'>): Finding {
  const { own, applied, broken, isUnconfirmed } = walk;
  if (isUnconfirmed) return UNREACHABLE;
  if (own.length > 1)
    return finding('error', details.dmarcSeveral({ count: own.length }), {
      records: own,
    });
  if (!applied && broken) return finding('error', details.dmarcBroken(broken), { records: [broken.text] });
  const stray = strayNotes(walk.others, /dmarc\s*1/i, 'v=DMARC1;');
  if (!applied) return { ...missing(details.dmarcMissing()), notes: stray };
  const { record, at } = applied;
  const isOwn = at === domain;
  const p = policyFor(domain, applied);
  const judged = judgeRecord(record, p, isOwn, ours);
  const policy = { p, sp: isOwn ? record.sp : undefined, pct: record.pct, t: record.t };
  const seen = {
    records: [record.text],
    notes: [...stray, ...record.notes],
    policy,
    ...(!isOwn && { inheritedFrom: at }),
  };
  return finding(judged.status, judged.details, seen);
}

function judgeRecord(record: DmarcRecord, p: DmarcPolicy, isOwn: boolean, ours: readonly string[]) {
  const warning = (sentence: string) => ({ status: 'warning' as const, details: sentence });
  if (p === 'none') return warning(details.dmarcNone());
  if (record.t || record.pct < 100) return warning(details.dmarcPartly({ policy: p }));
  if (!record.rua.some(({ address }) => address !== null)) return warning(details.dmarcUnreported());
  const sp = isOwn ? (record.sp ?? p) : p;
  if (STRENGTH[sp] < STRENGTH[p]) return warning(details.dmarcSubdomains({ policy: p, subdomains: sp }));
  if (!isOurs(record.rua, ours)) return warning(details.dmarcElsewhere({ policy: p }));
  return { status: 'ok' as const, details: details.dmarcGood({ policy: p }) };
}
