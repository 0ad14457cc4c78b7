import { Readable } from 'node:stream';
import { contentHash } from '@dmarc-ledger/vocabulary';
import { BlobError } from './errors.ts';

/** Bytes that match their name. */
export async function checked(bytes: Buffer, sha256: Buffer): Promise<Buffer> {
  if ((await contentHash(bytes)).equals(sha256)) return bytes;
  throw damaged(sha256);
}

/**
 * Opens parts of a stored blob, which is read and checked against its name once before the first of them is returned:
 * what is parsed while reading may be in the ledger before the last byte would show a fault.
 */
export function checkedParts(
  sha256: Buffer,
  size: number,
  read: (start: number, end: number) => AsyncIterable<Uint8Array>,
): (start?: number, end?: number) => Readable {
  let checking: Promise<void> | undefined;
  const check = async () => {
    if (!(await hasDigest(read(0, size), sha256))) throw damaged(sha256);
  };
  return (start = 0, end = size) => {
    async function* part() {
      await (checking ??= check());
      yield* read(start, Math.min(end, size));
    }
    return Readable.from(part(), { objectMode: false });
  };
}

/** Whether these chunks are the bytes of that name. */
export async function hasDigest(chunks: AsyncIterable<Uint8Array>, sha256: Buffer): Promise<boolean> {
  return (await contentHash(chunks)).equals(sha256);
}

function damaged(sha256: Buffer): BlobError {
  return new BlobError('blob_damaged', `The stored bytes ${sha256.toString('hex')} do not match their name.`);
}
