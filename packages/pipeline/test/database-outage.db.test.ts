import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openBlobs, type BlobStore } from '@dmarc-ledger/blobs';
import { createOrganization, openClaimant, openDimensions } from '@dmarc-ledger/ledger';
import { isStorageFailure, openDatabase } from '@dmarc-ledger/schema';
import { cloneDatabase, faultProxy, reportXml } from '@dmarc-ledger/testkit';
import { expect, it, vi } from 'vitest';
import { receiveMessages, takeIn, tendIntake } from '../src/index.ts';

it('sets nothing aside because the database went away each time that it was read', async () => {
  await using database = await cloneDatabase();
  await using line = await faultProxy(Number(new URL(database.url).port));
  await using folder = await mkdtempDisposable(join(tmpdir(), 'dmarc-ledger-blobs-'));
  const blobs = await openBlobs(pathToFileURL(folder.path).href);
  const { id: orgId } = await createOrganization(database.db, { name: 'Org' });
  await receiveMessages({ database, blobs }, orgId, [
    { content: reportXml({ id: 'a' }), source: 'file', name: null },
    { content: reportXml({ id: 'b' }), source: 'file', name: null },
  ]);
  const url = Object.assign(new URL(database.url), { hostname: '127.0.0.1', port: String(line.port) }).href;
  const shaky = openDatabase(url);
  const claimant = openClaimant(shaky);
  const faults: unknown[] = [];
  const needs = {
    database: shaky,
    claimant,
    dimensions: openDimensions(shaky),
    onFault: (_: string, error: unknown) => faults.push(error),
  };
  const states = async () => {
    const rows = await database.db.selectFrom('raw_message').select(['state', 'attempts_started']).execute();
    return rows.map(({ state, attempts_started }) => `${state} ${attempts_started}`);
  };

  for (let outage = 1; outage <= 5; outage += 1) {
    const goesAway = () => {
      line.toxic.refuse = true;
      line.cutAll();
    };
    await takeIn({ ...needs, blobs: onRead(blobs, goesAway) }, null);
    expect(await states()).toEqual(['processing 1', 'processing 1']);
    expect(await tendIntake(needs).catch(isStorageFailure)).toBe(true);
    line.toxic.refuse = false;
    await vi.waitFor(async () => {
      await tendIntake(needs);
      expect(await states()).toEqual(['received 0', 'received 0']);
    }, 30_000);
  }
  expect(faults.length).toBeGreaterThan(0);
  await takeIn({ ...needs, blobs }, null);
  expect(await states()).toEqual(['stored 1', 'stored 1']);
  claimant.release();
  await shaky.close();
});

/** A store that runs a hook just before it returns bytes. */
function onRead(blobs: BlobStore, happens: () => void): BlobStore {
  const get: BlobStore['get'] = async (sha256) => {
    const blob = await blobs.get(sha256);
    happens();
    return blob;
  };
  return Object.assign(Object.create(blobs) as BlobStore, { get });
}
