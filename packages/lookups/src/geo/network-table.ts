import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { isIPv4 } from 'node:net';
import { ipv4Number, ipv6Digits } from '../address/ip-number.ts';
import type { Network } from './place.ts';

/** Ranges of addresses in order, without overlap, each of one network. */
interface Ranges<Key> {
  starts: Key[];
  ends: Key[];
  asns: number[];
}

/** Finds the network of an address in two files of ranges: `first,last,AS number,"name"`. */
export interface NetworkTable {
  find(ip: string): Network;
}

const LINE = /^([^,]+),([^,]+),(\d+),(?:"((?:[^"]|"")*)"|(.*))$/;

/**
 * Reads the files of `@ip-location-db/asn`: IPv4 addresses as numbers, IPv6 as text. Reads in slices, as it takes half
 * a second.
 */
export async function readNetworkTable(ipv4File: string, ipv6File: string): Promise<NetworkTable> {
  const names = new Map<number, string>();
  const ipv4 = await readRanges(ipv4File, Number, names);
  const ipv6 = await readRanges(ipv6File, ipv6Digits, names);
  return {
    find(ip) {
      const asn = isIPv4(ip) ? search(ipv4, ipv4Number(ip)) : search(ipv6, ipv6Digits(ip));
      const isp = asn === undefined ? undefined : names.get(asn);
      return asn === undefined ? {} : { asn, ...(isp && { isp }) };
    },
  };
}

async function readRanges<Key>(
  file: string,
  keyOf: (text: string) => Key,
  names: Map<number, string>,
): Promise<Ranges<Key>> {
  const ranges: Ranges<Key> = { starts: [], ends: [], asns: [] };
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
    const [, first, last, number, quoted, plain] = LINE.exec(line) ?? [];
    if (first === undefined || last === undefined) continue;
    const asn = Number(number);
    ranges.starts.push(keyOf(first));
    ranges.ends.push(keyOf(last));
    ranges.asns.push(asn);
    if (!names.has(asn)) names.set(asn, quoted?.replaceAll('""', '"') ?? plain ?? '');
  }
  return ranges;
}

/** The network of the last range that begins at or before the key, if the range contains it. */
function search<Key extends number | string>({ starts, ends, asns }: Ranges<Key>, key: Key): number | undefined {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (starts[middle]! <= key) low = middle + 1;
    else high = middle;
  }
  const end = ends[low - 1];
  return end !== undefined && key <= end ? asns[low - 1] : undefined;
}
