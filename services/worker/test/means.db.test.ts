import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openBlobs, type BlobStore } from '@dmarc-ledger/blobs';
import { openLogger, readEnv } from '@dmarc-ledger/runtime';
import { cloneDatabase, type ClonedDatabase } from '@dmarc-ledger/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { workerEnv } from '../src/env.ts';
import { main } from '../src/main.ts';
import { startWorker } from '../src/service.ts';

const log = openLogger({ name: 'test', level: 'silent' });
let database: ClonedDatabase;
let blobs: BlobStore;
let folder: string;
beforeAll(async () => {
  database = await cloneDatabase();
  folder = await mkdtemp(join(tmpdir(), 'means-'));
  blobs = await openBlobs(pathToFileURL(folder).href);
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

describe('a worker that is to serve a queue', () => {
  it.each([
    ['lookups', 'enrichAddresses'],
    ['domains', 'checkDomain'],
    ['deliveries', 'deliverEvent'],
    ['purges', 'purgeOrganization'],
  ])('refuses to start for %s when it has not the means, instead of counting jobs as done', async (queue, job) => {
    const host = { database, databaseUrl: database.url, blobs, log };
    await expect(startWorker({ ...host, queues: ['records', queue] })).rejects.toMatchObject({
      code: 'handler_missing',
      message: `The queue ${queue} cannot be served: this process has no handler for its job ${job}.`,
    });
  });

  it('refuses lookups when ENRICHMENT is off, and serves all else', async () => {
    const env = readEnv(workerEnv, { ENRICHMENT: 'off' });
    const host = { database, databaseUrl: database.url, blobs, log, secrets: undefined };
    const closing: (() => unknown)[] = [];
    const use = <T>(opened: T, close: (opened: T) => unknown) => {
      closing.push(() => close(opened));
      return opened;
    };
    await expect(main(env, { ...host, queues: ['lookups'] }, use)).rejects.toMatchObject({ code: 'handler_missing' });
    const { isUp } = await main(env, host, use);
    expect(await isUp?.()).toBe(true);
    for (const close of closing) await close();
  });
});
