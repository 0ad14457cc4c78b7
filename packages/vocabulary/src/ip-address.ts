import { isIP, SocketAddress } from 'node:net';

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/;

/**
 * The canonical text of an IP address (RFC 5952), an IPv4-mapped IPv6 address as the IPv4 address it stands for.
 * Undefined for what is no address; a zone, a prefix length, a port and leading zeros in IPv4 are none.
 */
export function canonicalIp(text: string): string | undefined {
  const family = isIP(text);
  if (family === 4) return text;
  if (family === 0 || text.includes('%')) return undefined;
  const { address } = new SocketAddress({ address: text, family: 'ipv6' });
  return MAPPED.exec(address)?.[1] ?? address;
}
