import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openBlobs, type BlobStore } from '../src/index.ts';

let folder: string;
let blobs: BlobStore;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'dmarc-ledger blobs '));
  blobs = await openBlobs(pathToFileURL(folder).href);
});
afterEach(() => rmSync(folder, { recursive: true }));

const sha256Of = (bytes: Buffer) => createHash('sha256').update(bytes).digest();
const pathOf = (sha256: Buffer) => join(folder, sha256.toString('hex', 0, 1), sha256.toString('hex'));
const filesIn = () =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => statSync(join(folder, name)).isFile());

async function* chunks(...parts: (string | Error)[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) {
    if (part instanceof Error) throw part;
    yield Buffer.from(part);
  }
}

it('names bytes by what they are, and gives them back, also after it was opened anew', async () => {
  const bytes = Buffer.from('a report');
  const put = await blobs.put(bytes);
  expect(put).toEqual({ sha256: sha256Of(bytes), size: 8 });
  const reopened = await openBlobs(pathToFileURL(folder).href);
  const blob = await reopened.get(put.sha256);
  expect([blob.size, await blob.bytes()]).toEqual([8, bytes]);
  expect(statSync(pathOf(put.sha256)).mode & 0o777).toBe(0o600);
});

it('gives any part of them, any number of times', async () => {
  const { sha256 } = await blobs.put(Buffer.from('0123456789'));
  const blob = await blobs.get(sha256);
  const part = async (start?: number, end?: number) => (await buffer(blob.open(start, end))).toString();
  expect([await part(), await part(3), await part(3, 5), await part(4, 4), await part(8, 10), await part()]).toEqual([
    '0123456789',
    '3456789',
    '34',
    '',
    '89',
    '0123456789',
  ]);
});

it('holds the same bytes once, put whole or as a stream, by many at a time', async () => {
  const bytes = Buffer.from('the same bytes');
  const puts = await Promise.all([
    ...Array.from({ length: 10 }, () => blobs.put(bytes)),
    ...Array.from({ length: 10 }, () => blobs.putStream(chunks('the same', ' bytes'), 100)),
  ]);
  for (const put of puts) expect(put).toEqual({ sha256: sha256Of(bytes), size: bytes.length });
  expect(filesIn()).toHaveLength(1);
});

it('holds nothing of a stream that is too long, or that ends in the middle', async () => {
  await expect(blobs.putStream(chunks('12345', '6'), 5)).rejects.toMatchObject({
    code: 'blob_too_large',
    retryable: false,
  });
  await expect(blobs.putStream(chunks('123', new Error('cut')), 5)).rejects.toThrow('cut');
  expect(filesIn()).toEqual([]);
  expect(await blobs.putStream(chunks('12345'), 5)).toMatchObject({ size: 5 });
  expect(await blobs.putStream(chunks(), 5)).toMatchObject({ size: 0 });
});

it('tells bytes that are gone from bytes that are damaged', async () => {
  await expect(blobs.get(sha256Of(Buffer.from('never put')))).rejects.toMatchObject({ code: 'blob_missing' });
  const { sha256 } = await blobs.put(Buffer.from('as it was'));
  writeFileSync(pathOf(sha256), 'as it is.');
  const blob = await blobs.get(sha256);
  await expect(blob.bytes()).rejects.toMatchObject({
    code: 'blob_damaged',
    message: expect.stringContaining(sha256.toString('hex')),
  });
});

it('mends what a crash cut short when the same bytes are put again', async () => {
  const bytes = Buffer.from('all of it');
  const { sha256 } = await blobs.put(bytes);
  truncateSync(pathOf(sha256), 3);
  await blobs.put(bytes);
  expect(await (await blobs.get(sha256)).bytes()).toEqual(bytes);
});

it('forgets what is deleted, and does not mind deleting it twice', async () => {
  const { sha256 } = await blobs.put(Buffer.from('gone soon'));
  await blobs.delete(sha256);
  await blobs.delete(sha256);
  await expect(blobs.get(sha256)).rejects.toMatchObject({ code: 'blob_missing' });
  await blobs.put(Buffer.from('gone soon'));
  expect(await (await blobs.get(sha256)).bytes()).toEqual(Buffer.from('gone soon'));
});

it('refuses a place that it does not know how to use', async () => {
  await expect(openBlobs('s3://bucket')).rejects.toMatchObject({ code: 'blob_url_unsupported' });
});
