import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { MailboxFault } from './mailbox-fault.ts';

/** Where to connect to, and the name that the certificate must have, if it is another. */
interface Reach {
  host: string;
  servername?: string;
}

type Resolve = (host: string) => Promise<readonly { address: string }[]>;

const resolveAll: Resolve = (host) => lookup(host, { all: true });

/**
 * Resolves a host that others chose, once: every address must be allowed, and the connection goes to one that was
 * checked. Without a condition the host is connected to as it is. Ends with the signal: the resolver of the machine may
 * not answer at all.
 * @throws {MailboxFault} `host_forbidden`
 */
export async function reachHost(
  host: string,
  isAllowed: ((address: string) => boolean) | undefined,
  signal: AbortSignal,
  resolve: Resolve = resolveAll,
): Promise<Reach> {
  if (!isAllowed) return { host };
  const isAddress = isIP(host) !== 0;
  const found = isAddress ? [{ address: host }] : await unlessAborted(resolve(host), signal);
  const [first] = found;
  if (!first || !found.every(({ address }) => isAllowed(address)))
    throw new MailboxFault('host_forbidden', 'The server has an address that is not public.');
  return isAddress ? { host } : { host: first.address, servername: host };
}

/** A lookup of the machine cannot be stopped: what it answers later is not used. */
async function unlessAborted<Found>(looking: Promise<Found>, signal: AbortSignal): Promise<Found> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const end = () => reject(Object.assign(new Error('the host was not resolved in time'), { code: 'CONNECT_TIMEOUT' }));
  if (signal.aborted) end();
  signal.addEventListener('abort', end, { once: true });
  try {
    return await Promise.race([looking, aborted]);
  } finally {
    signal.removeEventListener('abort', end);
  }
}
