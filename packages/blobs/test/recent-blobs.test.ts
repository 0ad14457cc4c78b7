import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openBlobs, recentBlobs, type BlobStore } from '../src/index.ts';

let folder: string;
let blobs: BlobStore;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dmarc-ledger-recent-'));
  blobs = recentBlobs(await openBlobs(pathToFileURL(folder).href));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const pathOf = (sha256: Buffer) => join(folder, sha256.toString('hex').slice(0, 2), sha256.toString('hex'));

it('reads a blob that was just put without the store, and from the store after that', async () => {
  const { sha256 } = await blobs.put(Buffer.from('0123456789'));
  await writeFile(pathOf(sha256), 'damaged');
  const first = await blobs.get(sha256);
  expect(first.size).toBe(10);
  expect(String(await first.bytes())).toBe('0123456789');
  expect(String(await buffer(first.open(2, 5)))).toBe('234');
  await expect((await blobs.get(sha256)).bytes()).rejects.toMatchObject({ code: 'blob_damaged' });
});

it('has what was put durable in the store', async () => {
  const { sha256 } = await blobs.put(Buffer.from('durable'));
  const reopened = await openBlobs(pathToFileURL(folder).href);
  expect(String(await (await reopened.get(sha256)).bytes())).toBe('durable');
});

it('knows nothing of a blob that was deleted', async () => {
  const { sha256 } = await blobs.put(Buffer.from('gone'));
  await blobs.delete(sha256);
  await expect(blobs.get(sha256)).rejects.toMatchObject({ code: 'blob_missing' });
});

it('keeps no more than a few MiB, and no large blob', async () => {
  const large = await blobs.put(Buffer.alloc(70_000, 'l'));
  const old = await blobs.put(Buffer.alloc(60_000, 'o'));
  for (let i = 0; i < 80; i += 1) await blobs.put(Buffer.alloc(60_000, `${i} `));
  for (const { sha256 } of [large, old]) {
    await rm(pathOf(sha256));
    await expect(blobs.get(sha256)).rejects.toMatchObject({ code: 'blob_missing' });
  }
});
