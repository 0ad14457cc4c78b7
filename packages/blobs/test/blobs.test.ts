import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openBlobs, type BlobStore } from '../src/index.ts';
import { bucketStore, folderStore, type TestStore } from './stores.ts';

const sha256Of = (bytes: Buffer) => createHash('sha256').update(bytes).digest();

async function* chunks(...parts: (string | Error)[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) {
    if (part instanceof Error) throw part;
    yield Buffer.from(part);
  }
}

describe.each([
  ['files in a folder', folderStore],
  ['objects in a bucket', bucketStore],
])('blobs as %s', (_, makeStore) => {
  let store: TestStore;
  let blobs: BlobStore;

  beforeEach(async () => {
    store = await makeStore();
    blobs = await openBlobs(store.url);
  });
  afterEach(() => store.end());

  it('names bytes by what they are, and gives them back, also after it was opened anew', async () => {
    const bytes = Buffer.from('a report');
    const put = await blobs.put(bytes);
    expect(put).toEqual({ sha256: sha256Of(bytes), size: 8 });
    const reopened = await openBlobs(store.url);
    const blob = await reopened.get(put.sha256);
    expect([blob.size, await blob.bytes()]).toEqual([8, bytes]);
  });

  it('keeps the name of its owner beside them', async () => {
    expect(await blobs.owner()).toBeUndefined();
    const { sha256 } = await blobs.put(Buffer.from('a report'));
    for (const owner of ['one ledger', 'another']) await blobs.setOwner(owner);
    const reopened = await openBlobs(store.url);
    expect(await reopened.owner()).toBe('another');
    for await (const blob of reopened.list()) expect(blob.sha256).toEqual(sha256);
    await blobs.delete(sha256);
    expect(await reopened.owner()).toBe('another');
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
    expect(store.names()).toHaveLength(1);
  });

  it('puts many at once, in the order given, those that repeat and those that are there already once', async () => {
    const known = await blobs.put(Buffer.from('known'));
    const contents = ['first', 'known', 'second', 'first', ''].map((text) => Buffer.from(text));
    const puts = await blobs.putAll(contents);
    expect(puts).toEqual(contents.map((bytes) => ({ sha256: sha256Of(bytes), size: bytes.length })));
    expect(puts[1]).toEqual(known);
    for (const [i, bytes] of contents.entries())
      expect(await (await blobs.get(puts[i]!.sha256)).bytes()).toEqual(bytes);
    expect(store.names()).toHaveLength(4);
    expect(await blobs.putAll([])).toEqual([]);
  });

  it('holds nothing of a stream that is too long, or that ends in the middle', async () => {
    await expect(blobs.putStream(chunks('12345', '6'), 5)).rejects.toMatchObject({
      code: 'blob_too_large',
      retryable: false,
    });
    await expect(blobs.putStream(chunks('123', new Error('cut')), 5)).rejects.toThrow('cut');
    expect(store.names()).toEqual([]);
    expect(await blobs.putStream(chunks('12345'), 5)).toMatchObject({ size: 5 });
    expect(await blobs.putStream(chunks(), 5)).toMatchObject({ size: 0 });
  });

  it('distinguishes missing bytes from damaged bytes', async () => {
    await expect(blobs.get(sha256Of(Buffer.from('never put')))).rejects.toMatchObject({ code: 'blob_missing' });
    const { sha256 } = await blobs.put(Buffer.from('as it was'));
    store.damage(sha256, 'as it is.');
    const blob = await blobs.get(sha256);
    await expect(blob.bytes()).rejects.toMatchObject({
      code: 'blob_damaged',
      message: expect.stringContaining(sha256.toString('hex')),
    });
  });

  it('mends what a crash cut short when the same bytes are put again', async () => {
    const bytes = Buffer.from('all of it');
    const { sha256 } = await blobs.put(bytes);
    store.truncate(sha256, 3);
    await blobs.put(bytes);
    expect(await (await blobs.get(sha256)).bytes()).toEqual(bytes);
  });

  it.each<[string, (bytes: Buffer) => Promise<unknown>]>([
    ['whole', (bytes) => blobs.put(bytes)],
    ['as a stream', (bytes) => blobs.putStream(chunks(bytes.toString()), 100)],
  ])('heals damaged bytes of the same length when the right ones are put %s', async (__, putAgain) => {
    const bytes = Buffer.from('all of it');
    const { sha256 } = await blobs.put(bytes);
    store.damage(sha256, 'all oF it');
    await putAgain(bytes);
    expect(await (await blobs.get(sha256)).bytes()).toEqual(bytes);
    expect(store.names()).toHaveLength(1);
  });

  it('hands out no part of damaged bytes', async () => {
    const { sha256 } = await blobs.put(Buffer.from('as it was'));
    store.damage(sha256, 'as it is.');
    const blob = await blobs.get(sha256);
    for (const part of [blob.open(), blob.open(0, 2), blob.open(3)])
      await expect(buffer(part)).rejects.toMatchObject({ code: 'blob_damaged' });
  });

  it('forgets what is deleted, and does not mind deleting it twice', async () => {
    const { sha256 } = await blobs.put(Buffer.from('gone soon'));
    await blobs.delete(sha256);
    await blobs.delete(sha256);
    await expect(blobs.get(sha256)).rejects.toMatchObject({ code: 'blob_missing' });
    await blobs.put(Buffer.from('gone soon'));
    expect(await (await blobs.get(sha256)).bytes()).toEqual(Buffer.from('gone soon'));
  });

  it('holds a long stream whole, and leaves nothing of it elsewhere', async () => {
    const pieces = Array.from({ length: 40 }, () => randomBytes(512 * 1024 + 1));
    const { sha256, size } = await blobs.putStream(pieces.values() as unknown as AsyncIterable<Buffer>, 1024 ** 3);
    expect(size).toBe(40 * (512 * 1024 + 1));
    expect((await (await blobs.get(sha256)).bytes()).equals(Buffer.concat(pieces))).toBe(true);
    expect(store.names()).toHaveLength(1);
  });
});

it('keeps files for their owner alone', async () => {
  const store = await folderStore();
  const blobs = await openBlobs(store.url);
  await blobs.put(Buffer.from('a report'));
  for (const name of store.names()) expect(statSync(`${fileURLToPath(store.url)}/${name}`).mode & 0o777).toBe(0o600);
  await store.end();
});

it.each<[string, (file: string) => void]>([
  ['a file cannot be read', (file) => replace(file, () => mkdirSync(file))],
  ['a folder cannot be opened', (file) => replace(dirname(file), () => writeFileSync(dirname(file), ''))],
  ['its volume is not mounted', (file) => replace(dirname(dirname(file)), () => mkdirSync(dirname(dirname(file))))],
])('says that trying again may help when %s', async (_, spoil) => {
  const store = await folderStore();
  const blobs = await openBlobs(store.url);
  const { sha256 } = await blobs.put(Buffer.from('a report'));
  const early = await blobs.get(sha256);
  spoil(join(fileURLToPath(store.url), store.names()[0]!));

  const fault = { code: 'blob_store_unreachable', retryable: true };
  await expect(early.bytes()).rejects.toMatchObject(fault);
  await expect(buffer(early.open())).rejects.toMatchObject(fault);
  await expect(blobs.get(sha256).then((late) => late.bytes())).rejects.toMatchObject(fault);
  await store.end();
});

function replace(path: string, make: () => void): void {
  rmSync(path, { recursive: true });
  make();
}

it('is no new store in an empty folder unless that is allowed, and one in a folder that lost its empty folders', async () => {
  const store = await folderStore();
  const never = async () => false;
  const folder = fileURLToPath(store.url);
  const away = await openBlobs(store.url, never);
  await expect(away.put(Buffer.from('a report'))).rejects.toMatchObject({ code: 'blob_store_unreachable' });
  const { sha256 } = await (await openBlobs(store.url)).put(Buffer.from('a report'));
  expect(await (await away.get(sha256)).bytes()).toEqual(Buffer.from('a report'));
  rmSync(join(folder, 'tmp'), { recursive: true });
  const restored = await openBlobs(store.url, never);
  await restored.put(Buffer.from('another'));
  rmSync(join(folder, 'tmp'), { recursive: true });
  await restored.put(Buffer.from('one more')); // also when it is lost while the process runs
  expect(await (await restored.get(sha256)).bytes()).toEqual(Buffer.from('a report'));
  await store.end();
});

it('refuses a place that it does not know how to use', async () => {
  await expect(openBlobs('ftp://bucket')).rejects.toMatchObject({ code: 'blob_url_unsupported' });
});
