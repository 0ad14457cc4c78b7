import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createOrganization, enterMessages } from '@dmarc-ledger/ledger';
import { openLogger } from '@dmarc-ledger/runtime';
import { cloneDatabase } from '@dmarc-ledger/testkit';
import { expect, it } from 'vitest';
import { openHost, type ServiceHost } from '../src/host.ts';

/** A host on a folder and a database of its own, the events that it logs, and how it is closed. */
async function sampleHost(databaseUrl: string, folder: string) {
  const events: unknown[] = [];
  const log = openLogger({
    name: 'sample',
    level: 'warn',
    to: { write: (line) => events.push(JSON.parse(line).event) },
  });
  const closers: (() => unknown)[] = [];
  const use = <T>(resource: T, close: (resource: T) => unknown) => {
    closers.push(() => close(resource));
    return resource;
  };
  const BLOB_URL = pathToFileURL(join(folder, 'volume')).href;
  const env = { DATA_DIR: folder, DATABASE_URL: databaseUrl, BLOB_URL, SECRET_KEY: 'k'.repeat(40) };
  const host: ServiceHost = await openHost({ service: 'sample', log }, env, use);
  const close = async () => {
    for (const end of closers.toReversed()) await end();
  };
  return { ...host, events, [Symbol.asyncDispose]: close };
}

async function temporaryFolder() {
  const path = await mkdtemp(join(tmpdir(), 'host-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}

it('a connection that is lost while nothing uses it is logged, and the next statement has another', async () => {
  await using clone = await cloneDatabase();
  await using folder = await temporaryFolder();
  await using host = await sampleHost(clone.url, folder.path);
  const { rows } = await host.database.pool.query<{ pid: number }>('select pg_backend_pid() as pid');
  await clone.pool.query('select pg_terminate_backend($1)', [rows[0]!.pid]);
  await expect.poll(() => host.events).toEqual(['database.connection_lost']);
  expect((await host.database.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
});

it('a service that starts before the volume of raw bytes is mounted waits for it, and stores nothing beside', async () => {
  await using clone = await cloneDatabase();
  await using folder = await temporaryFolder();
  const volume = join(folder.path, 'volume');
  const bytes = randomBytes(100);
  {
    await using host = await sampleHost(clone.url, folder.path);
    const { sha256, size } = await host.blobs.put(bytes);
    const { id } = await createOrganization(clone.db, { name: 'Acme' });
    await enterMessages(clone.db, id, [{ sha256, size, source: 'file', name: null }]);
    expect(host.events).toEqual([]);
  }
  await rename(volume, `${volume}.unmounted`);
  await mkdir(volume);

  await using host = await sampleHost(clone.url, folder.path);
  expect(host.events).toEqual(['blobs.missing']);
  const fault = { code: 'blob_store_unreachable', retryable: true };
  await expect(host.blobs.put(bytes)).rejects.toMatchObject(fault);
  await expect(host.blobs.putAll([bytes])).rejects.toMatchObject(fault);
  const sha256 = (await clone.db.selectFrom('raw_message').select('sha256').executeTakeFirstOrThrow()).sha256;
  await expect(host.blobs.get(sha256)).rejects.toMatchObject(fault);
  await expect(host.blobs.delete(sha256)).rejects.toMatchObject(fault);
  expect(await readdir(volume)).toEqual([]);

  await rm(volume, { recursive: true });
  await rename(`${volume}.unmounted`, volume);
  expect(await (await host.blobs.get(sha256)).bytes()).toEqual(bytes);
});
