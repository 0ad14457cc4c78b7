import type { Ask, Fetched, Found, MailServer } from '../ask.ts';
import { coversHost, readMtaStsPolicy, type MtaStsPolicy } from '../records/mta-sts-policy.ts';
import { strictCandidatesOf } from '../records/tag-list.ts';
import { finding, missing, UNREACHABLE, type Check, type Finding } from './check.ts';

const PATH = '/.well-known/mta-sts.txt';
const SHORT = 86_400;
const ID = /(?:^|;)\s*id=[A-Za-z0-9]{1,32}\s*(?:;|$)/;

/** (RFC 8461; domain-rules, 4.3) */
export const mtaStsCheck: Check = {
  protocol: 'mta_sts',
  async run(ask, { domain }) {
    const answer = await ask.text(`_mta-sts.${domain}`);
    if (answer.kind === 'unconfirmed') return UNREACHABLE;
    const texts = answer.kind === 'found' ? answer.values : [];
    const almost = texts.filter((text) => /^\s*v\s*=\s*stsv1/i.test(text));
    if (almost.length === 0) return missing('No MTA-STS record is published.');
    const records = strictCandidatesOf(texts, 'STSv1');
    if (records.length !== 1 || !ID.test(records[0]!))
      return finding('error', 'The MTA-STS record is not valid.', { records: almost });
    const told = await judgePolicy(ask, domain);
    return { ...told, records };
  },
};

async function judgePolicy(ask: Ask, domain: string): Promise<Finding> {
  const host = `mta-sts.${domain}`;
  const [fetched, servers] = await Promise.all([ask.fetch(host, PATH), ask.mailServers(domain)]);
  if (fetched.kind === 'silent') return finding('unknown', `${host} did not answer; the last attempt failed.`);
  const policy = policyOf(fetched);
  if ('reason' in policy) return finding('error', `The MTA-STS policy cannot be used: ${policy.reason}.`);
  if (policy.mode !== 'none' && servers.kind === 'unconfirmed') return { ...UNREACHABLE, hasRecord: true };
  return judge(policy, servers);
}

function policyOf(fetched: Exclude<Fetched, { kind: 'silent' }>): MtaStsPolicy | { reason: string } {
  return fetched.kind === 'unusable' ? { reason: fetched.reason } : readMtaStsPolicy(fetched.body);
}

function judge(policy: MtaStsPolicy, servers: Found<MailServer>): Finding {
  const hosts = servers.kind === 'found' ? servers.values.map(({ host }) => host).filter((host) => host !== '') : [];
  const uncovered = hosts.find((host) => !coversHost(policy, host));
  if (policy.mode === 'enforce' && uncovered !== undefined)
    return finding('error', `The MTA-STS policy does not cover ${uncovered}, so senders refuse to deliver to it.`);
  if (policy.mode === 'none') return finding('warning', 'MTA-STS is switched off.');
  if (uncovered !== undefined) return finding('warning', `The MTA-STS policy does not cover ${uncovered}.`);
  if (policy.mode === 'testing') return finding('warning', 'MTA-STS is in testing mode.');
  if (policy.maxAge < SHORT) return finding('warning', `The MTA-STS policy expires after ${policy.maxAge} seconds.`);
  return finding('ok', 'MTA-STS is enforced.');
}
