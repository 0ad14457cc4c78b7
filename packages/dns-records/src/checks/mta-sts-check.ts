import { present } from '@dmarc-ledger/vocabulary';
import type { Ask, Found } from '../ask.ts';
import { coversHost, readMtaStsPolicy, type MtaStsPolicy } from '../records/mta-sts-policy.ts';
import { strictCandidatesOf } from '../records/tag-list.ts';
import {
  finding,
  missing,
  UNREACHABLE,
  type Check,
  type CheckContext,
  type FetchedPolicy,
  type Finding,
} from './check.ts';
import { details } from './details.ts';

const PATH = '/.well-known/mta-sts.txt';
const SHORT = 86_400;
const DAY_MS = 86_400_000;
const ID = /(?:^|;)\s*id=([A-Za-z0-9]{1,32})\s*(?:;|$)/;

/** (RFC 8461; rules, domain-checks/mta-sts) */
export const mtaStsCheck: Check = {
  protocol: 'mta_sts',
  names: (domain) => [`_mta-sts.${domain}`],
  async run(ask, context) {
    const answer = await ask.text(`_mta-sts.${context.domain}`);
    if (answer.kind === 'unconfirmed') return UNREACHABLE;
    const texts = answer.kind === 'found' ? answer.values : [];
    const almost = texts.filter((text) => /^\s*v\s*=\s*stsv1/i.test(text));
    if (almost.length === 0) return missing(details.mtaStsMissing());
    const records = strictCandidatesOf(texts, 'STSv1');
    const id = records.length === 1 ? ID.exec(present(records[0]))?.[1] : undefined;
    if (id === undefined) return finding('error', details.mtaStsInvalid(), { records: almost });
    const judgement = await judgePolicy(ask, context, id);
    return { ...judgement, records };
  },
};

async function judgePolicy(ask: Ask, context: CheckContext, id: string): Promise<Finding> {
  const { domain } = context;
  const host = `mta-sts.${domain}`;
  const [fetched, servers] = await Promise.all([policyOf(ask, context, id), mailHosts(ask, domain)]);
  if (fetched === 'silent') return finding('unknown', details.silentHost({ host }));
  if ('reason' in fetched) return finding('error', details.mtaStsUnusable(fetched));
  const { policy } = fetched;
  const isUnknown = policy.mode !== 'none' && servers.kind === 'unconfirmed';
  return {
    ...(isUnknown ? finding('unknown', UNREACHABLE.details) : judge(policy, servers)),
    facts: { mode: policy.mode },
    mtaSts: fetched,
  };
}

/** The hosts that take mail: those of the MX records; without any, the domain itself. (RFC 5321, 5.1) */
async function mailHosts(ask: Ask, domain: string): Promise<Found<string>> {
  const servers = await ask.mailServers(domain);
  if (servers.kind === 'found')
    return { kind: 'found', values: servers.values.map(({ host }) => host).filter((host) => host !== '') };
  if (servers.kind === 'unconfirmed') return servers;
  const addresses = await ask.addresses(domain);
  return addresses.kind === 'found' ? { kind: 'found', values: [domain] } : addresses;
}

/**
 * Fetches the policy if its id has changed, or the last fetch is a day old, or older than the policy's lifetime. (RFC
 * 8461, 3.3)
 */
async function policyOf(
  ask: Ask,
  { domain, now, mtaSts: kept }: CheckContext,
  id: string,
): Promise<FetchedPolicy | { reason: string } | 'silent'> {
  const goodMs = kept?.id === id ? Math.min(DAY_MS, kept.policy.maxAge * 1_000) : 0;
  if (kept && now.getTime() - kept.fetchedAt < goodMs) return kept;
  const fetched = await ask.fetch(`mta-sts.${domain}`, PATH);
  if (fetched.kind === 'silent') return 'silent';
  if (fetched.kind === 'rejected') return { reason: fetched.reason };
  const policy = readMtaStsPolicy(fetched.body);
  return 'reason' in policy ? policy : { id, fetchedAt: now.getTime(), policy };
}

function judge(policy: MtaStsPolicy, servers: Found<string>): Finding {
  const hosts = servers.kind === 'found' ? servers.values : [];
  const uncovered = hosts.find((host) => !coversHost(policy, host));
  if (policy.mode === 'enforce' && uncovered !== undefined)
    return finding('error', details.mtaStsRefuses({ host: uncovered }));
  if (policy.mode === 'none') return finding('warning', details.mtaStsOff());
  if (uncovered !== undefined) return finding('warning', details.mtaStsUncovered({ host: uncovered }));
  if (policy.mode === 'testing') return finding('warning', details.mtaStsTesting());
  if (policy.maxAge < SHORT) return finding('warning', details.mtaStsShort({ seconds: policy.maxAge }));
  return finding('ok', details.mtaStsGood());
}
