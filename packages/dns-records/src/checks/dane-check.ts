import { present } from '@dmarc-ledger/vocabulary';
import type { Ask, Presented, TlsaRecord } from '../ask.ts';
import { isChainMatched } from '../dane/match-chain.ts';
import { isUsableTlsa } from '../dane/usable-tlsa.ts';
import { finding, missing, UNREACHABLE, type Check, type CheckContext, type Finding } from './check.ts';
import { details } from './details.ts';

/** (RFC 7672; rules, domain-checks/dane) */
export const daneCheck: Check = {
  protocol: 'dane',
  async run(ask, context) {
    const servers = await ask.mailServers(context.domain);
    if (servers.kind === 'unconfirmed') return UNREACHABLE;
    const byPreference = servers.kind === 'found' ? servers.values.toSorted((a, b) => a.preference - b.preference) : [];
    const hosts = [...new Set(byPreference.map(({ host }) => host))];
    if (hosts.length === 0 || hosts.includes('')) return await withoutServers(ask, context.domain, hosts);
    const [{ found, isSecure }, ...answers] = await Promise.all([
      ask.validatedMailServers(context.domain),
      ...hosts.map((host) => lookAt(ask, host)),
    ]);
    if (found.kind === 'unconfirmed' || answers.some(({ kind }) => kind === 'unconfirmed')) return UNREACHABLE;
    if (!ask.isValidating && answers.some(({ kind }) => kind === 'unsigned'))
      return finding('unknown', details.daneUnvalidated());
    const usable = isSecure ? answers.filter((answer) => answer.kind === 'usable') : [];
    const judgement = await judge(ask, context, hosts.length, usable);
    return { ...judgement, hasRecord: answers.some(({ kind }) => kind !== 'none') };
  },
};

/**
 * A domain without MX records that has an address is its own mail server, which the check does not ask for. (RFC 5321,
 * 5.1)
 */
async function withoutServers(ask: Ask, domain: string, hosts: readonly string[]): Promise<Finding> {
  const isOwnServer = hosts.length === 0 && (await ask.addresses(domain)).kind === 'found';
  const notes = isOwnServer ? { notes: [details.daneImplicit({ host: domain })] } : {};
  return { status: 'unknown', details: details.daneNoServers(), hasRecord: false, ...notes };
}

type Answer = Usable | { kind: 'unsigned' | 'rejected' | 'none' | 'unconfirmed' };

interface Usable {
  kind: 'usable';
  host: string;
  records: readonly TlsaRecord[];
}

async function lookAt(ask: Ask, host: string): Promise<Answer> {
  const { found, isSecure } = await ask.tlsa(`_25._tcp.${host}`);
  if (found.kind === 'unconfirmed') return { kind: 'unconfirmed' };
  if (found.kind === 'none') return { kind: 'none' };
  if (!found.values.some(isUsableTlsa)) return { kind: 'rejected' };
  return isSecure ? { kind: 'usable', host, records: found.values } : { kind: 'unsigned' };
}

async function judge(ask: Ask, context: CheckContext, hosts: number, usable: readonly Usable[]): Promise<Finding> {
  if (usable.length === 0) return missing(details.daneMissing());
  const matches = await Promise.all(usable.map((server) => match(ask, context, server)));
  const notes = matches.flatMap(({ note }) => note ?? []);
  const wrong = usable.find((_, i) => present(matches[i]).isWrong);
  if (wrong) return finding('error', details.daneMismatch(wrong), { notes });
  if (usable.length < hosts)
    return finding('warning', details.danePartly({ usable: usable.length, count: hosts }), { notes });
  return finding('ok', details.daneGood(), { notes });
}

/**
 * A server fails if the chain of any of its addresses does not match; one without a chain does not. Its certificate may
 * have changed since the last query, so it is queried again before it counts as wrong.
 */
async function match(ask: Ask, context: CheckContext, server: Usable): Promise<{ isWrong: boolean; note?: string }> {
  const seen = await ask.presented(server.host);
  const shown = isMismatch(seen, context, server) ? await ask.presented(server.host, { isRecent: true }) : seen;
  const isWrong = isMismatch(shown, context, server);
  if (shown.kind !== 'unknown') return { isWrong };
  return { isWrong, note: `The certificate of ${server.host} could not be compared: ${shown.reason}.` };
}

function isMismatch(shown: Presented, { domain, now }: CheckContext, { host, records }: Usable): boolean {
  const names = [host, domain];
  return shown.kind === 'chains' && !shown.chains.every((chain) => isChainMatched(records, { chain, names, now }));
}
