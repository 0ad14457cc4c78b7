import { randomBytes } from 'node:crypto';
import { openBlobs } from '@dmarc-ledger/blobs';
import { mendOf } from './check-disk.ts';
import { error, ok, reasonOf, warning, type Finding } from './finding.ts';

const SCARCE = 0.15; // intake stops below this part

/** Writes, reads and deletes a blob. `mayBegin`: whether an empty folder may become a store. */
export async function checkBlobs(url: string, mayBegin: boolean): Promise<Finding> {
  const place = url.startsWith('s3:')
    ? 'Check BLOB_URL and its credentials.'
    : 'Check BLOB_URL, and that this user may write there.';
  try {
    const blobs = await openBlobs(url, async () => mayBegin);
    const bytes = randomBytes(64);
    const { sha256 } = await blobs.put(bytes);
    const read = await (await blobs.get(sha256)).bytes();
    await blobs.delete(sha256);
    if (!read.equals(bytes)) return error('raw bytes', 'The bytes read differ from the bytes stored.', place);
    const free = await blobs.freeSpace();
    if (free === null) return ok('raw bytes', 'Bytes can be stored and read.');
    const says = `${Math.round(free * 100)} % of the disk is free.`;
    return free < SCARCE
      ? warning('raw bytes', says, 'Free some space: until then uploads are rejected and mail stays in its mailbox.')
      : ok('raw bytes', says);
  } catch (cause) {
    return error('raw bytes', reasonOf(cause), mendOf(cause, place));
  }
}
