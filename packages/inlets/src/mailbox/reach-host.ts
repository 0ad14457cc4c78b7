import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { MailboxFault } from './mailbox-fault.ts';

/** Where to connect to, and the name that the certificate must have, if it is another. */
interface Reach {
  host: string;
  servername?: string;
}

/**
 * Resolves a host that others chose, once: every address must be allowed, and the connection goes to one that was
 * checked. Without a condition the host is connected to as it is.
 * @throws {MailboxFault} `host_forbidden`
 */
export async function reachHost(host: string, isAllowed: ((address: string) => boolean) | undefined): Promise<Reach> {
  if (!isAllowed) return { host };
  const isAddress = isIP(host) !== 0;
  const found = isAddress ? [{ address: host }] : await lookup(host, { all: true });
  const [first] = found;
  if (!first || !found.every(({ address }) => isAllowed(address)))
    throw new MailboxFault('host_forbidden', 'The server has an address that is not public.');
  return isAddress ? { host } : { host: first.address, servername: host };
}
