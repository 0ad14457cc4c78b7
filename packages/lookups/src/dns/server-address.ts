import { getServers } from 'node:dns';
import { isIP, isIPv6 } from 'node:net';

/** The address of a server. Not a name, as a name would need a lookup first. */
export interface ServerAddress {
  address: string;
  port: number;
}

const DNS_PORT = 53;
const WITH_PORT = /^(?:\[(?<six>[^\]]+)\]|(?<four>[^:]+))(?::(?<port>\d{1,5}))?$/;

/** Reads `192.0.2.1`, `192.0.2.1:5353`, `2001:db8::1`, `[2001:db8::1]:5353`. Undefined for anything else. */
export function parseServerAddress(text: string): ServerAddress | undefined {
  const trimmed = text.trim();
  if (isIPv6(trimmed)) return { address: trimmed, port: DNS_PORT };
  const { six, four, port = String(DNS_PORT) } = WITH_PORT.exec(trimmed)?.groups ?? {};
  const address = six ?? four ?? '';
  const isKnown = six === undefined ? isIP(address) === 4 : isIPv6(address);
  return isKnown && Number(port) >= 1 && Number(port) <= 0xffff ? { address, port: Number(port) } : undefined;
}

export function serverText({ address, port }: ServerAddress): string {
  return isIPv6(address) ? `[${address}]:${port}` : `${address}:${port}`;
}

/** The resolvers configured on this machine. */
export function systemServers(): ServerAddress[] {
  return getServers().flatMap((text) => parseServerAddress(text) ?? []);
}
