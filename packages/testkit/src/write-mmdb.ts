import { writeFileSync } from 'node:fs';

/** The part of the MaxMind DB format (version 2) that tests need: IPv4 prefixes to maps of texts, numbers and lists. */
type Value = string | number | Value[] | { [name: string]: Value };

const RECORD_BYTES = 4;
const MARKER = Buffer.from('abcdef4d61784d696e642e636f6d', 'hex');
const SEPARATOR = Buffer.alloc(16);

/** `prefixes`: `203.0.113.0/24` to its facts; none inside another. */
export function writeMmdb(path: string, prefixes: { [prefix: string]: Value }, builtAt: Date): void {
  const nodes: (number | undefined)[][] = [[]];
  const records: Buffer[] = [];
  let offset = 0;
  for (const [prefix, value] of Object.entries(prefixes)) {
    insert(nodes, prefix, -1 - offset);
    const bytes = encode(value);
    records.push(bytes);
    offset += bytes.length;
  }
  const metadata = encode({
    node_count: nodes.length,
    record_size: RECORD_BYTES * 8,
    ip_version: 4,
    database_type: 'test',
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: Math.floor(builtAt.getTime() / 1_000),
    languages: {},
    description: {},
  });
  writeFileSync(path, Buffer.concat([tree(nodes), SEPARATOR, ...records, Buffer.from(MARKER), metadata]));
}

/** Below zero: one less than minus the place of the data. */
function insert(nodes: (number | undefined)[][], prefix: string, data: number): void {
  const [ip = '', length = '32'] = prefix.split('/');
  const bits = ip.split('.').map((octet) => Number(octet).toString(2).padStart(8, '0'));
  const path = Array.from(bits.join('').slice(0, Number(length)), Number);
  let node = 0;
  for (const bit of path.slice(0, -1)) {
    const next = nodes[node]![bit] ?? nodes.push([]) - 1;
    nodes[node]![bit] = next;
    node = next;
  }
  nodes[node]![path.at(-1)!] = data;
}

function tree(nodes: (number | undefined)[][]): Buffer {
  const bytes = Buffer.alloc(nodes.length * RECORD_BYTES * 2);
  for (const [index, node] of nodes.entries())
    for (const bit of [0, 1]) {
      const to = node[bit] ?? nodes.length;
      const value = to < 0 ? nodes.length + SEPARATOR.length - 1 - to : to;
      bytes.writeUInt32BE(value, (index * 2 + bit) * RECORD_BYTES);
    }
  return bytes;
}

/** The second byte of a list's control: its kind less 7. Lists of a test have fewer than 29 items. */
const ARRAY = 4;
const KIND = { text: 2, double: 3, uint32: 6, map: 7 };

function encode(value: Value): Buffer {
  if (typeof value === 'string')
    return Buffer.concat([control(KIND.text, Buffer.byteLength(value)), Buffer.from(value)]);
  if (typeof value === 'number') return encodeNumber(value);
  if (Array.isArray(value)) return Buffer.concat([Buffer.from([value.length, ARRAY]), ...value.map(encode)]);
  const entries = Object.entries(value);
  return Buffer.concat([
    control(KIND.map, entries.length),
    ...entries.flatMap(([name, item]) => [encode(name), encode(item)]),
  ]);
}

function encodeNumber(value: number): Buffer {
  const isWhole = Number.isInteger(value) && value >= 0;
  const bytes = Buffer.alloc(isWhole ? 4 : 8);
  if (isWhole) bytes.writeUInt32BE(value);
  else bytes.writeDoubleBE(value);
  return Buffer.concat([control(isWhole ? KIND.uint32 : KIND.double, bytes.length), bytes]);
}

function control(kind: number, size: number): Buffer {
  return size < 29 ? Buffer.from([(kind << 5) | size]) : Buffer.from([(kind << 5) | 29, size - 29]);
}
