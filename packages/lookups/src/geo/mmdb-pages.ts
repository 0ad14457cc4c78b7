import { isIPv4 } from 'node:net';
import { fieldsOf } from '@dmarc-ledger/vocabulary';
import { ipv4Number, ipv6Digits } from '../address/ip-number.ts';
import { FilePages } from './file-pages.ts';
import { fileFaults, type OnGeoFault } from './file-faults.ts';
import type { MmdbFile } from './mmdb-file.ts';
import { readValue } from './mmdb-values.ts';
import { GeoFileError } from './geo-file-error.ts';

const MARKER = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1');
/** The metadata lie within so many bytes of the end. */
const METADATA_WITHIN = 128 * 1024;
/** Zero bytes between the tree and the data. */
const GAP = 16;

interface Tree {
  file: FilePages;
  nodes: number;
  /** Of one branch: 24, 28 or 32. */
  bits: number;
  isIPv6: boolean;
  builtAt: Date;
}

/**
 * A database file of the installation, which does not change while a process uses it: only what lookups touch is in
 * memory, not the whole file. Opened at the first lookup.
 *
 * @throws {Error} at the first lookup, when the file is missing or invalid
 */
export function mmdbPages(path: string, onFailure: OnGeoFault = () => {}): MmdbFile {
  let tree: Tree | undefined;
  const faults = fileFaults(onFailure);
  return {
    path,
    get builtAt() {
      return tree?.builtAt ?? null;
    },
    get: (ip) => faults.noted(async () => findIn(path, (tree ??= openTree(path)), ip)),
  };
}

function openTree(path: string): Tree {
  const file = new FilePages(path);
  try {
    return readTree(path, file);
  } catch (error) {
    file[Symbol.dispose]();
    throw error;
  }
}

function readTree(path: string, file: FilePages): Tree {
  const start = Math.max(0, file.size - METADATA_WITHIN);
  const found = file.bytes(start, file.size - start).lastIndexOf(MARKER);
  if (found === -1) throw new GeoFileError(path);
  const base = start + found + MARKER.length;
  const metadata = fieldsOf(readValue(file, base, base).value);
  const { node_count: nodes, record_size: bits, ip_version: version, build_epoch: epoch } = metadata;
  if (
    typeof nodes !== 'number' ||
    typeof bits !== 'number' ||
    ![24, 28, 32].includes(bits) ||
    typeof epoch !== 'number'
  )
    throw new Error(`${path} has no valid metadata.`);
  return { file, nodes, bits, isIPv6: version === 6, builtAt: new Date(epoch * 1000) };
}

function findIn(path: string, tree: Tree, ip: string): unknown {
  try {
    return find(tree, ip);
  } catch (cause) {
    throw new GeoFileError(path, { cause });
  }
}

/** Undefined: nothing is known of the address, or the file does not cover its family. */
function find(tree: Tree, ip: string): unknown {
  const isV4 = isIPv4(ip);
  if (!isV4 && !tree.isIPv6) return undefined;
  const digits = isV4 ? ipv4Number(ip).toString(16).padStart(8, '0') : ipv6Digits(ip);
  const key = tree.isIPv6 ? digits.padStart(32, '0') : digits;
  let node = 0;
  for (let bit = 0; bit < key.length * 4 && node < tree.nodes; bit += 1) {
    const side = (Number.parseInt(key.charAt(bit >> 2), 16) >> (3 - (bit & 3))) & 1;
    node = branchOf(tree, node, side);
  }
  if (node <= tree.nodes) return undefined;
  const base = (tree.nodes * tree.bits) / 4 + GAP;
  return readValue(tree.file, base, base + node - tree.nodes - GAP).value;
}

/** The next node, or when it is larger than their number, a place in the data. */
function branchOf({ file, bits }: Tree, node: number, side: number): number {
  const length = bits / 4;
  const bytes = file.bytes(node * length, length);
  if (bits === 28) {
    const high = side === 0 ? bytes.readUInt8(3) >> 4 : bytes.readUInt8(3) & 15;
    return high * 2 ** 24 + bytes.readUIntBE(side * 4, 3);
  }
  return bytes.readUIntBE(side * (length / 2), length / 2);
}
