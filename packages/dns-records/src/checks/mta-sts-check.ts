import { present } from '@dmarc-ledger/vocabulary';
import type { Ask, Found } from '../ask.ts';
import { coversHost, type MtaStsPolicy } from '../records/mta-sts-policy.ts';
import { recordsAt } from '../records/servers-differ.ts';
import { strictCandidatesOf } from '../records/tag-list.ts';
import { finding, missing, UNREACHABLE, type Check, type CheckContext, type Finding } from './check.ts';
import { details } from './details.ts';
import { enforcedStill, policyOf, stillHeld } from './kept-policies.ts';

const SHORT = 86_400;
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
    if (almost.length === 0) return await judgeAbsence(ask, context);
    const found = recordsAt(answer, (all) => strictCandidatesOf(all, 'STSv1'));
    if (found.kind === 'unconfirmed') return UNREACHABLE;
    const records = found.kind === 'found' ? found.values : [];
    const id = records.length === 1 ? ID.exec(present(records[0]))?.[1] : undefined;
    if (id === undefined) return finding('error', details.mtaStsInvalid(), { records: almost, ...staleOf(context) });
    const judgement = await judgePolicy(ask, context, id);
    return { ...judgement, records };
  },
};

async function judgePolicy(ask: Ask, context: CheckContext, id: string): Promise<Finding> {
  const { domain } = context;
  const host = `mta-sts.${domain}`;
  const [fetched, servers] = await Promise.all([policyOf(ask, context, id), mailHosts(ask, domain)]);
  if (fetched === 'silent') return finding('unknown', details.silentHost({ host }));
  if ('reason' in fetched) return finding('error', details.mtaStsUnusable(fetched), staleOf(context));
  const { policy } = fetched;
  const earlier = stillHeld(fetched.earlier, context.now).map((held) => held.policy);
  const held = [policy, ...earlier];
  const isUnknown = held.some(({ mode }) => mode !== 'none') && servers.kind === 'unconfirmed';
  const isEnforced = held.some(({ mode }) => mode === 'enforce'); // by some senders at least
  return {
    ...(isUnknown ? finding('unknown', UNREACHABLE.details) : judge(policy, earlier, servers)),
    facts: { mode: isEnforced ? 'enforce' : policy.mode },
    mtaSts: fetched,
  };
}

/** What senders may hold while they can fetch nothing. */
function staleOf({ mtaSts }: CheckContext): Partial<Finding> {
  return mtaSts ? { mtaSts: { ...mtaSts, isStale: true } } : {};
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

/** While senders may hold an enforced policy, a mail server that it does not cover gets no mail of theirs. */
async function judgeAbsence(ask: Ask, { domain, now, mtaSts }: CheckContext): Promise<Finding> {
  const held = enforcedStill(mtaSts, now);
  if (held.length === 0) return missing(details.mtaStsMissing());
  const servers = await mailHosts(ask, domain);
  if (servers.kind === 'unconfirmed') return { ...missing(UNREACHABLE.details), status: 'unknown', mtaSts };
  const host = uncoveredBy(held, servers);
  if (host === undefined) return { ...missing(details.mtaStsMissing()), mtaSts };
  return { ...missing(details.mtaStsGone({ host })), facts: { mode: 'enforce' }, mtaSts };
}

function uncoveredBy(policies: readonly MtaStsPolicy[], servers: Found<string>): string | undefined {
  const hosts = servers.kind === 'found' ? servers.values : [];
  return hosts.find((host) => policies.some((policy) => !coversHost(policy, host)));
}

function judge(policy: MtaStsPolicy, earlier: readonly MtaStsPolicy[], servers: Found<string>): Finding {
  const uncovered = uncoveredBy([policy], servers);
  if (policy.mode === 'enforce' && uncovered !== undefined)
    return finding('error', details.mtaStsRefuses({ host: uncovered }));
  const refused = uncoveredBy(
    earlier.filter(({ mode }) => mode === 'enforce'),
    servers,
  );
  if (refused !== undefined) return finding('error', details.mtaStsKept({ host: refused }));
  if (earlier.length > 0) return finding('warning', details.mtaStsSameId());
  if (policy.mode === 'none') return finding('warning', details.mtaStsOff());
  if (uncovered !== undefined) return finding('warning', details.mtaStsUncovered({ host: uncovered }));
  if (policy.mode === 'testing') return finding('warning', details.mtaStsTesting());
  if (policy.maxAge < SHORT) return finding('warning', details.mtaStsShort({ seconds: policy.maxAge }));
  return finding('ok', details.mtaStsGood());
}
