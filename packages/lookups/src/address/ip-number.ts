import { groupsOf } from '@dmarc-ledger/vocabulary';

/** An IPv4 address as a number. */
export function ipv4Number(ip: string): number {
  return ip.split('.').reduce((number, octet) => number * 256 + Number(octet), 0);
}

/** An IPv6 address as 32 hex digits, which sort like the addresses. */
export function ipv6Digits(ip: string): string {
  return groupsOf(ip).join('');
}
