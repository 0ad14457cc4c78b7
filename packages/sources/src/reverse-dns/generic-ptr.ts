import { isIPv4 } from 'node:net';
import { groupsOf } from '@dmarc-ledger/vocabulary';

const GENERIC_LABEL =
  /(^|[-\d])(dyn(amic)?|dhcp|pool|ppp|p?dsl|adsl|vdsl|cable|cpe|dial(up|in)?|broadband|mobile|wireless|residential|cust(omer)?|client|unassigned|unknown)([-\d]|$)/i;
const MAX_NAME = 253;
/** Hex digits of an IPv6 address that are no accident. */
const IPV6_DIGITS = 12;
/** Digits of three octets, run together, that are no accident. */
const OCTET_DIGITS = 6;

/**
 * True when a host name is made from the address, or says that it is a dynamic or consumer connection. The last two
 * labels are the network's own name and do not count. (rules, reputation/generic-host-names)
 */
export function isGenericPtr(name: string, ip: string): boolean {
  if (name.length > MAX_NAME) return true;
  const labels = name.toLowerCase().replace(/\.$/, '').split('.').slice(0, -2);
  if (labels.some((label) => GENERIC_LABEL.test(label))) return true;
  const host = labels.join('.');
  if (host === '') return false;
  return isIPv4(ip) ? hasIpv4(host, ip) : hasIpv6(host, ip);
}

/** Four octets in either order, however separated; three neighbours among them; or all four in hex. */
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

/** `optional` is `?` where the octets may be run together. An octet may be written with leading zeros. */
function hasOctets(host: string, octets: string[], optional: string): boolean {
  if (!octets.every((octet) => host.includes(octet))) return false; // as of nearly all names, and soon told
  const pattern = octets.map((octet) => `0{0,2}${octet}`).join(`[-._]${optional}`);
  return new RegExp(`(?<!\\d)${pattern}(?!\\d)`).test(host);
}

/**
 * Twelve digits of the address in a row: as they stand, run together, or as groups whose leading zeros were left out.
 */
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
