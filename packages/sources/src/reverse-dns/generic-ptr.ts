import { isIPv4 } from 'node:net';
import { groupsOf } from '@dmarc-ledger/vocabulary';

const GENERIC_LABEL =
  /(^|[-\d])(dyn(amic)?|dhcp|pool|ppp|p?dsl|adsl|vdsl|cable|cpe|dial(up|in)?|broadband|mobile|wireless|residential|cust(omer)?|client|unassigned|unknown)([-\d]|$)/i;
const MAX_NAME = 253;
/** This many hex digits of an IPv6 address are no coincidence. */
const IPV6_DIGITS = 12;
/** This many digits of three joined octets are no coincidence. */
const OCTET_DIGITS = 6;

/**
 * True if a host name is derived from the address, or shows a dynamic or consumer connection. The last two labels are
 * the network's own name and are ignored. (rules, reputation/generic-host-names)
 */
export function isGenericPtr(name: string, ip: string): boolean {
  if (name.length > MAX_NAME) return true;
  const labels = name.toLowerCase().replace(/\.$/, '').split('.').slice(0, -2);
  if (labels.some((label) => GENERIC_LABEL.test(label))) return true;
  const host = labels.join('.');
  if (host === '') return false;
  return isIPv4(ip) ? hasIpv4(host, ip) : hasIpv6(host, ip);
}

/** Four octets in either order with any separator; three adjacent ones; or all four in hex. */
function hasIpv4(host: string, ip: string): boolean {
  const octets = ip.split('.');
  const hex = octets.map((octet) => Number(octet).toString(16).padStart(2, '0')).join('');
  if (host.includes(hex)) return true;
  return [octets, octets.toReversed()].some(
    (order) => hasOctets(host, order, '?') || hasThree(host, order.slice(0, 3)) || hasThree(host, order.slice(1)),
  );
}

function hasThree(host: string, octets: string[]): boolean {
  return hasOctets(host, octets, octets.join('').length >= OCTET_DIGITS ? '?' : '');
}

/** `optional` is `?` if the octets may be joined. An octet may have leading zeros. */
function hasOctets(host: string, octets: string[], optional: string): boolean {
  if (!octets.every((octet) => host.includes(octet))) return false; // a fast test that most names fail
  const pattern = octets.map((octet) => `0{0,2}${octet}`).join(`[-._]${optional}`);
  return new RegExp(`(?<!\\d)${pattern}(?!\\d)`).test(host);
}

/** Twelve consecutive digits of the address: as they are, joined, or as groups without leading zeros. */
function hasIpv6(host: string, ip: string): boolean {
  const address = groupsOf(ip).join('');
  const reversed = [...address].reverse().join('');
  return spellingsOf(host).some((digits) => sharesRun(digits, address) || sharesRun(digits, reversed));
}

function spellingsOf(host: string): string[] {
  const parts = host.split(/[-._]/);
  const groups = parts.map((part) => (/^[0-9a-f]{1,4}$/.test(part) ? part.padStart(4, '0') : '/'));
  return [host, parts.join(''), groups.join('')];
}

function sharesRun(digits: string, address: string): boolean {
  for (let start = 0; start + IPV6_DIGITS <= digits.length; start += 1)
    if (address.includes(digits.slice(start, start + IPV6_DIGITS))) return true;
  return false;
}
