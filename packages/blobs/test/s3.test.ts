import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openBlobs, type BlobStore } from '../src/index.ts';
import { bucketStore, type S3TestStore } from './stores.ts';

let store: S3TestStore;
let blobs: BlobStore;

beforeEach(async () => {
  store = await bucketStore();
  blobs = await openBlobs(store.url);
});
afterEach(() => store.end());

const MB = 1024 ** 2;

async function* pieces(...list: Buffer[]) {
  yield* list;
}

it('sends what is long in parts, and leaves no temporary file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'dmarc-ledger spool '));
  vi.stubEnv('TMPDIR', folder);
  await blobs.putStream(pieces(randomBytes(20 * MB)), 100 * MB);
  const parts = store.server.requests.filter((line) => line.startsWith('PUT') && line.includes('partNumber='));
  expect(parts).toHaveLength(3);
  expect(store.server.uploads.size).toBe(0);
  await expect(blobs.putStream(pieces(randomBytes(20)), 10)).rejects.toMatchObject({ code: 'blob_too_large' });
  expect(readdirSync(folder)).toEqual([]);
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

describe('uploads in parts that were never completed', () => {
  const [old, young] = [new Date('2026-01-01T00:00:00Z'), new Date('2026-01-03T00:00:00Z')];
  const before = new Date('2026-01-02T00:00:00Z');
  /** An upload of a process that was killed; returns its id. */
  const begun = (at: Date, key = `some/folder/ab/${'ab'.repeat(32)}`) => {
    const id = randomUUID();
    store.server.uploads.set(id, new Map([[1, randomBytes(10)]]));
    store.server.begun.set(id, { key, at });
    return id;
  };
  const left = () => [...store.server.uploads.keys()].toSorted();
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'dmarc-ledger spool '));
    vi.stubEnv('TMPDIR', folder);
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  });

  it('are given up when they are old, however many, and those of others are not', async () => {
    for (let i = 0; i < 12; i += 1) begun(old);
    const kept = [begun(young), begun(old, 'some/folder/notes.txt'), begun(old, `elsewhere/ab/${'ab'.repeat(32)}`)];
    expect(await blobs.removeLeftovers(before)).toBe(12);
    expect(left()).toEqual(kept.toSorted());
    expect(await blobs.removeLeftovers(before)).toBe(0);
  });

  it.each([
    [403, 'AccessDenied'],
    [501, 'NotImplemented'],
  ])('are left to the rules of a bucket that does not list them (%i)', async (status, code) => {
    const id = begun(old);
    store.server.troubles.push({ status, code });
    expect(await blobs.removeLeftovers(before)).toBe(0);
    expect(left()).toEqual([id]);
  });

  it('are no fault when they are completed meanwhile', async () => {
    begun(old);
    store.server.troubles.push({ cutAfter: Infinity }, { status: 404, code: 'NoSuchUpload' });
    expect(await blobs.removeLeftovers(before)).toBe(0);
  });

  it('wait while the store cannot be reached', async () => {
    begun(old);
    store.server.troubles.push({ status: 503 }, 'hang up', { status: 503 });
    const unreachable = { code: 'blob_store_unreachable', retryable: true };
    await expect(blobs.removeLeftovers(before)).rejects.toMatchObject(unreachable);
    expect(await blobs.removeLeftovers(before)).toBe(1);
  });
});

it('sends nothing that is there already', async () => {
  const bytes = randomBytes(1_000);
  await blobs.put(bytes);
  await blobs.put(bytes);
  await blobs.putStream(pieces(bytes), 2_000);
  expect(store.server.requests.filter((line) => line.startsWith('PUT'))).toHaveLength(1);
});

it('tries again when the server is busy or hangs up', async () => {
  store.server.troubles.push({ status: 503 }, 'hang up');
  const { sha256 } = await blobs.put(Buffer.from('a report'));
  store.server.troubles.push('hang up', { status: 500 });
  expect(await (await blobs.get(sha256)).bytes()).toEqual(Buffer.from('a report'));
});

it('goes on reading where an answer was cut', async () => {
  const bytes = randomBytes(3 * MB);
  const { sha256 } = await blobs.put(bytes);
  const blob = await blobs.get(sha256);
  store.server.troubles.push({ cutAfter: MB }, { cutAfter: MB }, { cutAfter: 0 });
  expect((await buffer(blob.open(10))).equals(bytes.subarray(10))).toBe(true);
});

it('does not take the beginning of an object for the part that it asked for', async () => {
  const bytes = randomBytes(3 * MB);
  const { sha256 } = await blobs.put(bytes);
  const blob = await blobs.get(sha256);
  await buffer(blob.open(0, 1));
  store.server.troubles.push('whole object');
  expect((await buffer(blob.open(10, 20))).equals(bytes.subarray(10, 20))).toBe(true);
  store.server.troubles.push('whole object', 'whole object', 'whole object');
  await expect(buffer(blob.open(10, 20))).rejects.toMatchObject({ code: 'blob_store_unreachable', retryable: true });
  store.server.troubles.push('whole object');
  expect((await buffer(blob.open(0, 20))).equals(bytes.subarray(0, 20))).toBe(true);
});

it('does not turn the pages of a listing for ever', async () => {
  const name = 'ab'.repeat(32);
  const page = `<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>again</NextContinuationToken>
    <Contents><Key>some/folder/ab/${name}</Key><LastModified>2026-01-01T00:00:00Z</LastModified></Contents></ListBucketResult>`;
  store.server.troubles.push(...Array.from({ length: 50 }, () => ({ status: 200, body: page })));
  const listed = (async () => {
    for await (const { sha256 } of blobs.list()) expect(sha256.toString('hex')).toBe(name);
  })();
  await expect(listed).rejects.toMatchObject({ code: 'blob_store_unreachable', retryable: true });
  expect(store.server.requests.length).toBeLessThan(5);
  const uploads = '<ListMultipartUploadsResult><IsTruncated>true</IsTruncated></ListMultipartUploadsResult>';
  store.server.troubles.splice(0, 50, ...Array.from({ length: 50 }, () => ({ status: 200, body: uploads })));
  store.server.requests.length = 0;
  await blobs.removeLeftovers(new Date(0));
  expect(store.server.requests.length).toBeLessThan(5);
});

it('says that trying again may help when the store cannot be reached, whatever is asked of it', async () => {
  const { sha256 } = await blobs.put(Buffer.from('a report'));
  const blob = await blobs.get(sha256);
  await store.server.close();
  const unreachable = { code: 'blob_store_unreachable', retryable: true };
  await expect(blobs.put(Buffer.from('another'))).rejects.toMatchObject(unreachable);
  await expect(blobs.putStream(pieces(Buffer.from('more')), 100)).rejects.toMatchObject(unreachable);
  await expect(blobs.get(sha256)).rejects.toMatchObject(unreachable);
  await expect(blob.bytes()).rejects.toMatchObject(unreachable);
  await expect(buffer(blob.open())).rejects.toMatchObject(unreachable);
  await expect(blobs.delete(sha256)).rejects.toMatchObject(unreachable);
  store = await bucketStore();
});

it.each([
  ['a wrong key', () => void (store.server.credentials.secretAccessKey = 'changed')],
  ['another bucket', () => void (store.server.bucket = 'other')],
])('does not take %s for bytes that are gone', async (_, change) => {
  const { sha256 } = await blobs.put(Buffer.from('a report'));
  change();
  const denied = { code: 'blob_store_denied', retryable: true };
  await expect(blobs.get(sha256)).rejects.toMatchObject(denied);
  await expect(blobs.put(Buffer.from('another'))).rejects.toMatchObject(denied);
});

it.each([
  ['s3:', 'names no bucket'],
  ['s3://bucket?path_style=yes', 'path_style is true or false'],
  ['s3://bucket?endpoint=host', 'endpoint is a URL'],
  ['s3://bucket?acl=public', 'no option acl'],
  ['s3://key:hunter2@bucket', 'AWS_ACCESS_KEY_ID'],
])('refuses %s with a reason, and no secret in it', async (url, reason) => {
  const fault = await openBlobs(url).catch((error: unknown) => error as Error);
  expect(fault).toMatchObject({ code: 'blob_url_unsupported', message: expect.stringContaining(reason) });
  expect((fault as Error).message).not.toContain('hunter2');
});
