import { isIP, SocketAddress } from 'node:net';

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/;

/**
 * Returns the canonical text of an IP address (RFC 5952); an IPv4-mapped IPv6 address becomes an IPv4 address.
 * Undefined for any other text, including a zone, a prefix length, a port or leading zeros in IPv4.
 */
export function canonicalIp(text: string): string | undefined {
  const family = isIP(text);
  if (family === 4) return text;
  if (family === 0 || text.includes('%')) return undefined;
  const { address } = new SocketAddress({ address: text, family: 'ipv6' });
  return MAPPED.exec(address)?.[1] ?? address;
}
