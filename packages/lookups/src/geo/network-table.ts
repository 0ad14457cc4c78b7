import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { isIPv4 } from 'node:net';
import { createInterface } from 'node:readline';
import { ipv4Number, ipv6Digits } from '../address/ip-number.ts';
import type { Network } from './place.ts';

/** Ranges of addresses in order, without overlap, each of one network. An address is one or four numbers of 32 bits. */
interface Ranges {
  words: 1 | 4;
  starts: Uint32Array;
  ends: Uint32Array;
  asns: Uint32Array;
}

/** Finds the network of an address in two files of ranges: `first,last,AS number,"name"`. */
export interface NetworkTable {
  find(ip: string): Network;
}

const LINE = /^([^,]+),([^,]+),(\d+),(?:"((?:[^"]|"")*)"|(.*))$/;
/** `a,b,1,` and a line feed. */
const SHORTEST_LINE = 7;

/**
 * Reads the files of `@ip-location-db/asn`: IPv4 addresses as numbers, IPv6 as text. Reads in slices, as it takes half
 * a second.
 */
export async function readNetworkTable(ipv4File: string, ipv6File: string): Promise<NetworkTable> {
  const names = new Map<number, string>();
  const ipv4 = await readRanges(ipv4File, 1, (text) => [Number(text)], names);
  const ipv6 = await readRanges(ipv6File, 4, ipv6Words, names);
  return {
    find(ip) {
      const asn = isIPv4(ip) ? search(ipv4, [ipv4Number(ip)]) : search(ipv6, ipv6Words(ip));
      const isp = asn === undefined ? undefined : names.get(asn);
      return asn === undefined ? {} : { asn, ...(isp && { isp }) };
    },
  };
}

function ipv6Words(ip: string): number[] {
  const digits = ipv6Digits(ip);
  return [0, 8, 16, 24].map((at) => Number.parseInt(digits.slice(at, at + 8), 16));
}

async function readRanges(
  file: string,
  words: 1 | 4,
  wordsOf: (text: string) => number[],
  names: Map<number, string>,
): Promise<Ranges> {
  const most = Math.ceil((await stat(file)).size / SHORTEST_LINE) + 1; // memory is taken only where it is written
  const [starts, ends] = [new Uint32Array(most * words), new Uint32Array(most * words)];
  const asns = new Uint32Array(most);
  let count = 0;
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
    const [, first, last, number, quoted, plain] = LINE.exec(line) ?? [];
    if (first === undefined || last === undefined) continue;
    const asn = Number(number);
    starts.set(wordsOf(first), count * words);
    ends.set(wordsOf(last), count * words);
    asns[count] = asn;
    count += 1;
    if (!names.has(asn)) names.set(asn, detached(quoted?.replaceAll('""', '"') ?? plain ?? ''));
  }
  return {
    words,
    starts: starts.slice(0, count * words),
    ends: ends.slice(0, count * words),
    asns: asns.slice(0, count),
  };
}

/** The same text on its own: a part of a line would keep the whole chunk of the file in memory. */
function detached(text: string): string {
  return Buffer.from(text).toString();
}

/** The network of the last range that begins at or before the address, if the range contains it. */
function search({ words, starts, ends, asns }: Ranges, address: readonly number[]): number | undefined {
  let low = 0;
  let high = asns.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compare(starts, middle * words, address) <= 0) low = middle + 1;
    else high = middle;
  }
  const isWithin = low > 0 && compare(ends, (low - 1) * words, address) >= 0;
  return isWithin ? asns[low - 1] : undefined;
}

function compare(keys: Uint32Array, at: number, address: readonly number[]): number {
  for (const [i, word] of address.entries()) {
    const difference = (keys[at + i] ?? 0) - word;
    if (difference !== 0) return difference;
  }
  return 0;
}
