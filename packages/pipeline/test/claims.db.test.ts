import { spawn, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openBlobs, type BlobStore } from '@dmarc-ledger/blobs';
import { createOrganization, openClaimant, openDimensions, releaseDeadClaims } from '@dmarc-ledger/ledger';
import { cloneDatabase, reportXml, type ClonedDatabase } from '@dmarc-ledger/testkit';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { takeIn } from '../src/index.ts';
import { receive } from './ledger.ts';

const patient = { timeout: 60_000, interval: 20 };
const special = reportXml({ id: 'special' });
const sha256OfSpecial = createHash('sha256').update(special).digest('hex');

let database: ClonedDatabase;
let folder: string;
let blobs: BlobStore;
let orgId: string;

beforeEach(async () => {
  database = await cloneDatabase();
  folder = await mkdtemp(join(tmpdir(), 'dmarc-ledger-blobs-'));
  blobs = await openBlobs(pathToFileURL(folder).href);
  ({ id: orgId } = await createOrganization(database.db, { name: 'Org' }));
});
afterEach(async () => {
  await database[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

it('sets a delivery aside whose reading has ended three processes, and stores its neighbours', async () => {
  const neighbours = Array.from({ length: 12 }, (_, i) => reportXml({ id: `n${i}` }));
  await receive({ database, blobs, orgId }, ...neighbours.slice(0, 6), special, ...neighbours.slice(6));
  const ends: unknown[] = [];
  while (ends.at(-1) !== 0) {
    const [code, signal] = await once(startIngester('dies'), 'exit');
    ends.push(code ?? signal);
  }
  expect(ends).toEqual(['SIGKILL', 'SIGKILL', 'SIGKILL', 0]);
  const rows = await database.db.selectFrom('raw_message').select(['state', 'code', 'parts', 'sha256']).execute();
  const isSpecial = ({ sha256 }: { sha256: Buffer }) => sha256.toString('hex') === sha256OfSpecial;
  expect(rows.filter((row) => !isSpecial(row)).map(({ state }) => state)).toEqual(neighbours.map(() => 'stored'));
  expect(rows.find(isSpecial)).toMatchObject({
    state: 'quarantined',
    code: 'quarantined',
    parts: [{ outcome: 'refused', message: 'Reading it started 3 times and never finished.' }],
  });
  expect(await reportsHeld()).toBe(neighbours.length);
});

it('gives what a killed ingester had claimed to another at once, and nothing of a living one', async () => {
  await receive({ database, blobs, orgId }, special);
  const holder = startIngester('hangs');
  await vi.waitFor(async () => expect(await statesHeld()).toEqual(['processing']), patient);
  expect(await releaseDeadClaims(database.db)).toBe(0);

  holder.kill('SIGKILL');
  await once(holder, 'exit');
  await vi.waitFor(async () => expect(await releaseDeadClaims(database.db)).toBe(1), patient);
  const claimant = openClaimant(database);
  const faults: unknown[] = [];
  const dimensions = openDimensions(database);
  await takeIn({ database, blobs, claimant, dimensions, onFault: (_, error) => faults.push(error) }, null);
  claimant.release();
  expect(await statesHeld()).toEqual(['stored']);
  expect(await reportsHeld()).toBe(1);
  expect(faults).toEqual([]);
});

it('leaves nothing claimed that it could not set aside, and does so when it can', async () => {
  await receive({ database, blobs, orgId }, special);
  await database.db.updateTable('raw_message').set({ attempts_started: 3 }).execute();
  await sql`create function full_disk() returns trigger language plpgsql as
    $$ begin raise exception 'no space' using errcode = '53100'; end $$`.execute(database.db);
  await sql`create trigger full_disk before update on raw_message for each row
    when (new.state = 'quarantined') execute function full_disk()`.execute(database.db);
  const claimant = openClaimant(database);
  const faults: unknown[] = [];
  const needs = { database, blobs, claimant, dimensions: openDimensions(database) };
  const take = () => takeIn({ ...needs, onFault: (_, error) => faults.push(error) }, null);
  await expect(take()).rejects.toMatchObject({ code: '53100' });

  await sql`drop trigger full_disk on raw_message`.execute(database.db);
  await vi.waitFor(async () => expect(await releaseDeadClaims(database.db)).toBe(1), patient);
  await take();
  claimant.release();
  expect(await statesHeld()).toEqual(['quarantined']);
  expect(faults).toEqual([]);
});

/** An ingester whose reading of the special delivery ends its process, or never ends. */
function startIngester(how: 'dies' | 'hangs'): ChildProcess {
  const args = [join(import.meta.dirname, 'ingester-process.ts'), database.url, folder, sha256OfSpecial, how];
  return spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
}

async function statesHeld(): Promise<string[]> {
  const rows = await database.db.selectFrom('raw_message').select('state').execute();
  return rows.map(({ state }) => state);
}

async function reportsHeld(): Promise<number> {
  return (await database.db.selectFrom('report').select('id').execute()).length;
}
