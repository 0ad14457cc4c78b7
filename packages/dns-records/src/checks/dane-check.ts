import type { Ask, TlsaRecord } from '../ask.ts';
import { finding, missing, UNREACHABLE, type Check, type Finding } from './check.ts';

const DIGEST_BYTES = new Map([
  [1, 32],
  [2, 64],
]);

/** DANE-TA or DANE-EE, with data as long as it must be: others mean nothing to mail. (RFC 7672, 3.1) */
export function isUsableTlsa({ usage, selector, matching, data }: TlsaRecord): boolean {
  if (usage !== 2 && usage !== 3) return false;
  if (selector !== 0 && selector !== 1) return false;
  return matching === 0 ? data.length > 0 : data.length === DIGEST_BYTES.get(matching);
}

/** (RFC 7672; domain-rules, 4.3) Certificates are not looked at: port 25 is not probed. */
export const daneCheck: Check = {
  protocol: 'dane',
  async run(ask, { domain }) {
    const servers = await ask.mailServers(domain);
    if (servers.kind === 'unconfirmed') return UNREACHABLE;
    const hosts = servers.kind === 'found' ? [...new Set(servers.values.map(({ host }) => host))] : [];
    if (hosts.length === 0 || hosts.includes(''))
      return { status: 'unknown', details: 'The domain has no mail servers.', hasRecord: false };
    const [{ found, isSecure }, ...answers] = await Promise.all([
      ask.validatedMailServers(domain),
      ...hosts.map((host) => lookAt(ask, host)),
    ]);
    if (found.kind === 'unconfirmed' || answers.includes('unconfirmed')) return UNREACHABLE;
    if (!ask.isValidating && answers.includes('unsigned'))
      return finding('unknown', 'DANE could not be checked: no validating resolver.');
    const usable = isSecure ? answers.filter((answer) => answer === 'usable').length : 0;
    return { ...judge(hosts.length, usable), hasRecord: answers.some((answer) => answer !== 'none') };
  },
};

type Answer = 'usable' | 'unsigned' | 'unusable' | 'none' | 'unconfirmed';

async function lookAt(ask: Ask, host: string): Promise<Answer> {
  const { found, isSecure } = await ask.tlsa(`_25._tcp.${host}`);
  if (found.kind === 'unconfirmed') return 'unconfirmed';
  if (found.kind === 'none') return 'none';
  if (!found.values.some(isUsableTlsa)) return 'unusable';
  return isSecure ? 'usable' : 'unsigned';
}

function judge(hosts: number, usable: number): Finding {
  if (usable === 0) return missing('The mail servers publish no DANE records.');
  if (usable < hosts) return finding('warning', `Only ${usable} of ${hosts} mail servers have DANE records.`);
  return finding('ok', 'All mail servers have matching DANE records.');
}
