import { dice } from './dice.ts';

/** An address of the test world, and where the geo data places it. */
export interface Address {
  index: number;
  ip: string;
  family: 4 | 6;
  isPublic: boolean;
  /** The network below that it is in; none for IPv6, which the test's data does not hold. */
  block: number | undefined;
}

export interface Block {
  place?: { country_code: string; city?: string; latitude?: number; longitude?: number };
  country?: string;
  network?: { autonomous_system_number: number; autonomous_system_organization: string };
}

/** 45.0.0.0/16, 45.1.0.0/16 and so on. */
export const blocks: readonly Block[] = [
  {
    place: { country_code: 'DE', city: 'Berlin', latitude: 52.52, longitude: 13.405 },
    country: 'Germany',
    network: { autonomous_system_number: 64_500, autonomous_system_organization: 'Alpha Net' },
  },
  {
    place: { country_code: 'FR' },
    country: 'France',
    network: { autonomous_system_number: 11_377, autonomous_system_organization: 'SendGrid' },
  },
  { network: { autonomous_system_number: 64_501, autonomous_system_organization: 'Beta "Host", Inc.' } },
  {},
];

export function addressOf(index: number): Address {
  if (index % 10 === 9)
    return { index, ip: `2a0f:e5c0:1::${(index + 1).toString(16)}`, family: 6, isPublic: true, block: undefined };
  const [high, low] = [index >> 8, index & 255];
  if (index % 100 === 50) return { index, ip: `10.9.${high}.${low}`, family: 4, isPublic: false, block: undefined };
  const block = dice(index, 'block') % blocks.length;
  return { index, ip: `45.${block}.${high}.${low}`, family: 4, isPublic: true, block };
}

/** The labels of an address, last first, as names in reverse zones and blocklists begin. */
export function labelsOf({ ip, family }: Pick<Address, 'ip' | 'family'>): string {
  if (family === 4) return ip.split('.').reverse().join('.');
  const [head = '', tail = ''] = ip.split('::');
  const groups = (text: string) => text.split(':').filter(Boolean);
  const zeros = Array.from({ length: 8 - groups(head).length - groups(tail).length }, () => '0');
  const all = [...groups(head), ...zeros, ...groups(tail)].map((group) => group.padStart(4, '0'));
  return [...all.join('')].reverse().join('.');
}
