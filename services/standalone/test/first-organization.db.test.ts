import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openBlobs } from '@dmarc-ledger/blobs';
import {
  createOrganization,
  findOrganization,
  identifyCaller,
  listKeys,
  revokeKey,
  setOrganization,
} from '@dmarc-ledger/ledger';
import { cloneDatabase } from '@dmarc-ledger/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { firstOrganization, type FirstOrganization } from '../src/first-organization.ts';
import type { Installation } from '../src/installation.ts';
import { takeInSamples } from '../src/sample-intake.ts';

describe('every start of one data folder', () => {
  let database: Awaited<ReturnType<typeof cloneDatabase>>;
  let dataDir: string;
  let first: FirstOrganization;
  let acme: string;
  beforeEach(async () => {
    database = await cloneDatabase();
    dataDir = await mkdtemp(join(tmpdir(), 'first-'));
    first = await firstOrganization(database.db, dataDir);
    acme = (await createOrganization(database.db, { name: 'Acme' })).id;
  });
  afterEach(async () => {
    await database[Symbol.asyncDispose]();
    await rm(dataDir, { recursive: true });
  });

  const start = () => firstOrganization(database.db, dataDir);
  const remove = (id: string) => database.db.deleteFrom('organization').where('id', '=', id).execute();
  const rename = () => setOrganization(database, first.orgId, { name: 'Zeta' });
  const orgOf = async ({ key }: FirstOrganization) => (await identifyCaller(database.db, key))?.orgId;

  it('works on the organization of its key, whatever that is called by now', async () => {
    await rename();
    expect(await start()).toEqual(first);
    await createOrganization(database.db, { name: 'My organization' });
    expect(await start()).toEqual(first);
  });

  it('keeps a key that a suspension holds back, and replaces one that was revoked', async () => {
    await rename();
    await setOrganization(database, first.orgId, { suspended: true });
    expect(await start()).toEqual(first);
    await setOrganization(database, first.orgId, { suspended: false });
    const [key] = await listKeys(database.db, first.orgId);
    await revokeKey(database.db, first.orgId, key!.id);
    const again = await start();
    expect(again).toEqual({ orgId: first.orgId, key: expect.not.stringMatching(first.key), isOwn: true });
    expect(await orgOf(again)).toBe(first.orgId);
    expect(await readFile(join(dataDir, 'api-key'), 'utf8')).toBe(`${again.key}\n`);
  });

  it('works on the organization by its name, or the only one, where the key is gone', async () => {
    await rm(join(dataDir, 'api-key'));
    expect((await start()).orgId).toBe(first.orgId);
    await rm(join(dataDir, 'api-key'));
    await rename();
    await remove(acme);
    expect((await start()).orgId).toBe(first.orgId);
  });

  it('creates an organization where its own is gone and the others are those of customers', async () => {
    await createOrganization(database.db, { name: 'Beta' });
    await remove(first.orgId);
    const again = await start();
    expect(await findOrganization(database.db, { id: again.orgId })).toMatchObject({ name: 'My organization' });
    expect(await orgOf(again)).toBe(again.orgId);
  });

  it('replaces a key that was damaged in its file', async () => {
    await writeFile(join(dataDir, 'api-key'), `${first.key.slice(0, -1)}~\n`);
    const again = await start();
    expect(again.orgId).toBe(first.orgId);
    expect(await orgOf(again)).toBe(first.orgId);
  });

  it('is the only one that others have made, which is to have no samples', async () => {
    await using other = await cloneDatabase();
    const { id } = await createOrganization(other.db, { name: 'Acme' });
    const started = await firstOrganization(other.db, await mkdtemp(join(dataDir, 'other-')));
    expect(started).toMatchObject({ orgId: id, isOwn: false });
    expect(first.isOwn).toBe(true);
  });

  it('marks the organization of the samples, and no other', async () => {
    const samplesOf = async () => {
      const marked = database.db.selectFrom('organization').select('id').where('has_samples', '=', true);
      return (await marked.execute()).map(({ id }) => id);
    };
    const blobs = await openBlobs(pathToFileURL(join(dataDir, 'blobs')).href);
    const installation: Installation = {
      database,
      databaseUrl: database.url,
      redisUrl: undefined,
      blobs,
      secrets: undefined,
      areAddressesLookedUp: false,
      dataDir,
      close: async () => undefined,
    };
    const takeIn = (orgId: string) => takeInSamples(installation, orgId, () => undefined);
    await writeFile(join(dataDir, 'samples.json'), '{"day":"2026-11-01","done":true}');
    await takeIn(first.orgId);
    await takeIn(acme);
    expect(await samplesOf()).toEqual([first.orgId]);
  });
});
