import type { AddressInfo } from 'node:net';

/** The port of a server that listens on TCP or UDP. Throws for one that does not listen, or listens on a path. */
export function listeningPort(server: { address(): AddressInfo | string | null }): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('the server does not listen on a port');
  return address.port;
}
