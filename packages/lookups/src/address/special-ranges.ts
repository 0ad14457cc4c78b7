/**
 * Networks without hosts on the public Internet, or that lead elsewhere: the IANA special-purpose address registries
 * (RFC 6890) where they say "Globally Reachable: False", multicast, and every network that embeds IPv4 addresses.
 * `[first address, length of the prefix]`.
 */
export const specialIpv4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const;

/** The space allocated for use on the Internet. (RFC 4291, 2.4) */
export const globalIpv6 = [['2000::', 3]] as const;

/** Within that: protocol assignments with Teredo, benchmarking and ORCHID, documentation, 6to4, documentation again. */
export const specialIpv6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const;

/** Protocol assignments that are reachable: anycast of PCP, TURN and DNS-SD, AMT, AS112, ORCHIDv2, drones. */
export const reachableIpv6 = [
  ['2001:1::1', 128],
  ['2001:1::2', 128],
  ['2001:1::3', 128],
  ['2001:3::', 32],
  ['2001:4:112::', 48],
  ['2001:20::', 28],
  ['2001:30::', 28],
] as const;
