import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { isIPv4 } from 'node:net';
import { ipv4Number, ipv6Digits } from '../address/ip-number.ts';
import { type AddressField, decimal, ipv4Field, ipv6Field } from './address-field.ts';
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

/** `a,b,1,` and a line feed. */
const SHORTEST_LINE = 7;
const READ_BYTES = 1024 * 1024;
const [LINE_FEED, COMMA] = [0x0a, 0x2c];

/**
 * Reads the files of `@ip-location-db/asn`: IPv4 addresses as numbers, IPv6 as text. Lines of another form are left
 * out. Reads in slices of some milliseconds, as all of it takes a third of a second.
 */
export async function readNetworkTable(ipv4File: string, ipv6File: string): Promise<NetworkTable> {
  const names = new Map<number, string>();
  const ipv4 = await readRanges(ipv4File, { words: 1, addressField: ipv4Field, names });
  const ipv6 = await readRanges(ipv6File, { words: 4, addressField: ipv6Field, names });
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

interface Reading {
  words: 1 | 4;
  addressField: AddressField;
  names: Map<number, string>;
}

/** Works on bytes: as lines of text, the same takes five times as long. */
async function readRanges(file: string, { words, addressField, names }: Reading): Promise<Ranges> {
  const most = Math.ceil((await stat(file)).size / SHORTEST_LINE) + 1; // memory is taken only where it is written
  const [starts, ends] = [new Uint32Array(most * words), new Uint32Array(most * words)];
  const asns = new Uint32Array(most);
  let count = 0;
  const readLine = (bytes: Buffer, begin: number, end: number) => {
    const second = addressField(bytes, begin, starts, count * words);
    const third = second < 0 ? -1 : addressField(bytes, second, ends, count * words);
    if (third < 0) return;
    const { number: asn, end: comma } = decimal(bytes, third);
    if (comma === third || bytes[comma] !== COMMA) return;
    asns[count] = asn;
    count += 1;
    if (!names.has(asn)) names.set(asn, nameOf(bytes.toString('utf8', comma + 1, end)));
  };
  for await (const bytes of linesOf(file)) {
    for (let begin = 0; begin < bytes.length;) {
      const end = bytes.indexOf(LINE_FEED, begin);
      readLine(bytes, begin, end);
      begin = end + 1;
    }
  }
  return {
    words,
    starts: starts.slice(0, count * words),
    ends: ends.slice(0, count * words),
    asns: asns.slice(0, count),
  };
}

/** Yields the bytes of a file in pieces that end with a line feed. */
async function* linesOf(file: string): AsyncGenerator<Buffer> {
  let rest = Buffer.alloc(0);
  const chunks: AsyncIterable<Buffer> = createReadStream(file, { highWaterMark: READ_BYTES });
  for await (const chunk of chunks) {
    const bytes = Buffer.concat([rest, chunk]);
    const end = bytes.lastIndexOf(LINE_FEED) + 1;
    rest = bytes.subarray(end);
    if (end > 0) yield bytes.subarray(0, end);
  }
  if (rest.length > 0) yield Buffer.concat([rest, Buffer.from([LINE_FEED])]);
}

function nameOf(text: string): string {
  const name = text.trimEnd();
  return name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name;
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
