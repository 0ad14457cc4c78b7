import { present } from '@dmarc-ledger/vocabulary';
import type { FilePages } from './file-pages.ts';

/** A value, and where the next one begins. */
interface Read {
  value: unknown;
  next: number;
}

/** Types of fields that are read; the others do not occur in the records of places and networks. */
const TYPE = {
  pointer: 1,
  text: 2,
  double: 3,
  uint16: 5,
  uint32: 6,
  map: 7,
  int32: 8,
  uint64: 9,
  array: 11,
  boolean: 14,
  float: 15,
};
const MOST_NESTED = 16;
/** What a pointer of so many bytes is counted from. */
const POINTER_BASES = [0, 2_048, 526_336, 0];
/** What a size of so many further bytes is counted from. */
const SIZE_BASES = [29, 285, 65_821];

/**
 * Reads a value of the data section of a MaxMind DB. Pointers are counted from `base`. (MaxMind DB file format 2.0,
 * "Output Data Section")
 *
 * @throws {RangeError} when the file is not well-formed
 */
export function readValue(file: FilePages, base: number, at: number, depth = 0): Read {
  if (depth > MOST_NESTED) throw new RangeError('The values of the file are nested too deeply.');
  const control = file.bytes(at, 1).readUInt8();
  const short = control >> 5;
  if (short === TYPE.pointer) return readPointer(file, base, at, depth);
  const type = short === 0 ? file.bytes(at + 1, 1).readUInt8() + 7 : short;
  const { size, start } = readSize(file, at + (short === 0 ? 2 : 1), control & 31);
  if (type === TYPE.map) return readMap(file, base, { size, start }, depth);
  if (type === TYPE.array) return readArray(file, base, { size, start }, depth);
  if (type === TYPE.boolean) return { value: size === 1, next: start };
  return { value: plainValue(type, file.bytes(start, size)), next: start + size };
}

interface Extent {
  size: number;
  start: number;
}

function readPointer(file: FilePages, base: number, at: number, depth: number): Read {
  const control = file.bytes(at, 1).readUInt8();
  const size = ((control >> 3) & 3) + 1;
  const low = file.bytes(at + 1, size).readUIntBE(0, size);
  const high = size === 4 ? 0 : (control & 7) * 2 ** (8 * size);
  const { value } = readValue(file, base, base + high + low + present(POINTER_BASES[size - 1]), depth + 1);
  return { value, next: at + 1 + size };
}

function readSize(file: FilePages, start: number, given: number): Extent {
  if (given < 29) return { size: given, start };
  const length = given - 28;
  const more = file.bytes(start, length).readUIntBE(0, length);
  return { size: more + present(SIZE_BASES[length - 1]), start: start + length };
}

function readMap(file: FilePages, base: number, { size, start }: Extent, depth: number): Read {
  const entries: [string, unknown][] = [];
  let next = start;
  for (let i = 0; i < size; i += 1) {
    const key = readValue(file, base, next, depth + 1);
    const value = readValue(file, base, key.next, depth + 1);
    entries.push([String(key.value), value.value]);
    next = value.next;
  }
  return { value: Object.fromEntries(entries), next };
}

function readArray(file: FilePages, base: number, { size, start }: Extent, depth: number): Read {
  const values: unknown[] = [];
  let next = start;
  for (let i = 0; i < size; i += 1) {
    const read = readValue(file, base, next, depth + 1);
    values.push(read.value);
    next = read.next;
  }
  return { value: values, next };
}

function plainValue(type: number, bytes: Buffer): unknown {
  if (type === TYPE.text) return bytes.toString();
  if (type === TYPE.double) return bytes.readDoubleBE();
  if (type === TYPE.float) return bytes.readFloatBE();
  if (type === TYPE.uint16 || type === TYPE.uint32 || type === TYPE.uint64)
    return bytes.reduce((number, byte) => number * 256 + byte, 0);
  if (type === TYPE.int32)
    return bytes.length === 4 ? bytes.readInt32BE() : bytes.reduce((n, byte) => n * 256 + byte, 0);
  return undefined;
}
