import type { LookupFunction } from 'node:net';
import type { buildConnector } from 'undici';
import type { HostAddress } from '../dns/resolve-host.ts';

export interface TlsOptions {
  /** PEM of the authorities to trust instead of the system's (MTA_STS_CA_FILE). */
  ca?: string;
  timeoutMs: number;
}

/**
 * Connects only to these addresses: the name is not resolved a second time, so it cannot lead elsewhere by then. The
 * connected address is checked again.
 */
export function pinnedConnector(
  build: typeof buildConnector,
  addresses: readonly HostAddress[],
  { ca, timeoutMs }: TlsOptions,
): buildConnector.connector {
  const lookup: LookupFunction = (_host, { all }, callback) => {
    const [first] = addresses;
    if (all) callback(null, [...addresses]);
    else callback(null, first?.address ?? '', first?.family);
  };
  const connect = build({ lookup, minVersion: 'TLSv1.2', timeout: timeoutMs, ...(ca && { ca }) });
  return (options, callback) =>
    connect(options, (...outcome) => {
      const [error, socket] = outcome;
      if (error) return callback(error, null);
      const reached = socket?.remoteAddress;
      if (addresses.some(({ address }) => address === reached)) return callback(null, socket);
      socket?.destroy();
      callback(new Error('connected to another address than was allowed'), null);
    });
}
