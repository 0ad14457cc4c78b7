import { stat } from 'node:fs/promises';
import type { Reader, Response } from 'maxmind';
import { present } from '@dmarc-ledger/vocabulary';
import { fileFaults, type OnGeoFault } from './file-faults.ts';
import { GeoFileError } from './geo-file-error.ts';

/** A database file that is opened at its first use, and again after a change. */
export interface MmdbFile {
  /** Undefined: nothing is known of the address, or the file does not cover its family. */
  get(ip: string): Promise<unknown>;
  /** When the data was built; null until it is opened. */
  readonly builtAt: Date | null;
  readonly path: string;
}

const CHECK_MS = 60_000;
const KEPT_RECORDS = 6_000;

export interface MmdbOptions {
  /** Milliseconds of a monotonic clock. */
  now?: () => number;
  /** Called once when a file cannot be read, or becomes so by a change: then the previous data stays in use. */
  onFailure?: OnGeoFault;
}

/** A missing or invalid file throws at each lookup until there is another; an invalid change later does not. */
export function mmdbFile(
  path: string,
  { now = () => performance.now(), onFailure = () => {} }: MmdbOptions = {},
): MmdbFile {
  let current: { reader: Reader<Response>; modifiedMs: number } | undefined;
  let opening: Promise<void> | undefined;
  let checkedMs = -Infinity;
  const [unopened, damaged] = [fileFaults(onFailure), fileFaults(onFailure)];
  const load = async () => {
    const { mtimeMs } = await stat(path);
    if (current?.modifiedMs === mtimeMs) return unopened.over();
    const { open } = await import('maxmind');
    const reader = await open<Response>(path, { cache: { max: KEPT_RECORDS } }).catch((cause: unknown) => {
      throw new GeoFileError(path, { cause });
    });
    current = { reader, modifiedMs: mtimeMs };
    unopened.over();
    damaged.over();
  };
  const loadOnce = () => (opening ??= unopened.noted(load).finally(() => (opening = undefined)));
  return {
    path,
    get builtAt() {
      return current?.reader.metadata.buildEpoch ?? null;
    },
    async get(ip) {
      if (!current) {
        await loadOnce();
        checkedMs = now();
      } else if (now() - checkedMs >= CHECK_MS) {
        checkedMs = now();
        loadOnce().catch(() => {}); // reported
      }
      const { reader } = present(current);
      return await damaged.noted(async () => find(path, reader, ip));
    },
  };
}

function find(path: string, reader: Reader<Response>, ip: string): unknown {
  if (reader.metadata.ipVersion === 4 && ip.includes(':')) return undefined;
  try {
    return reader.get(ip) ?? undefined;
  } catch (cause) {
    throw new GeoFileError(path, { cause });
  }
}
