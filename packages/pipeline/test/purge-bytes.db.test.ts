import { hash } from 'node:crypto';
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openBlobs, type BlobStore } from '@dmarc-ledger/blobs';
import { createOrganization, cutoffsOf, findMessage, removeBlobs } from '@dmarc-ledger/ledger';
import { findWarnings } from '@dmarc-ledger/queries';
import { transact, type Database } from '@dmarc-ledger/schema';
import { cloneDatabase, reportMail, reportXml } from '@dmarc-ledger/testkit';
import { s3Server } from '@dmarc-ledger/testkit/s3-server';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { auditRaw, previewReplay, purgeLedger, purgeOrganization, replayDeliveries, sweepBlobs } from '../src/index.ts';
import { driftOf, openLedger, receive, settled, type Ledger } from './ledger.ts';
import { openMailbox } from './mailboxes.ts';
import {
  another,
  figuresOf,
  given,
  grownOld,
  numbers,
  reportsOf,
  rowsWithoutBytes,
  type Place,
} from './purge-fixture.ts';

interface Store {
  url: string;
  /** Ages the bytes by so many hours. */
  age: (sha256: Buffer, hours: number) => void;
  end: () => Promise<void> | void;
}

function folder(): Store {
  const path = mkdtempSync(join(tmpdir(), 'dmarc-ledger-purge-'));
  return {
    url: pathToFileURL(path).href,
    age(sha256, hours) {
      const at = Date.now() / 1000 - hours * 3_600;
      utimesSync(join(path, sha256.toString('hex', 0, 1), sha256.toString('hex')), at, at);
    },
    end: () => rmSync(path, { recursive: true }),
  };
}

async function bucket(): Promise<Store> {
  const server = await s3Server();
  vi.stubEnv('AWS_ACCESS_KEY_ID', server.credentials.accessKeyId);
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', server.credentials.secretAccessKey);
  return {
    url: `s3://${server.bucket}/raw?endpoint=${encodeURIComponent(server.endpoint)}&path_style=true`,
    age(sha256, hours) {
      const key = `raw/${sha256.toString('hex', 0, 1)}/${sha256.toString('hex')}`;
      server.storedAt.set(key, new Date(Date.now() - hours * 3_600_000));
    },
    end: async () => {
      vi.unstubAllEnvs();
      await server.close();
    },
  };
}

/** Which copy came by mail, and in which hour. */
type Mailed = readonly [copy: number, hour: number];

const sha256Of = (bytes: Buffer) => hash('sha256', bytes, 'buffer');
const ONLY_RAW = { days: null, rawDays: 90, failureReportDays: null };

describe.each([
  ['a folder', folder],
  ['a bucket', bucket],
])('in %s', (_, openStore) => {
  let ledger: Ledger;
  let store: Store;
  let blobs: BlobStore;
  beforeAll(async () => {
    store = await openStore();
    blobs = await openBlobs(store.url);
    ledger = await openLedger('Postgres', () => ({ blobs }));
  });
  afterAll(async () => {
    await ledger[Symbol.asyncDispose]();
    await store.end();
  });

  const isThere = (bytes: Buffer) =>
    blobs.get(sha256Of(bytes)).then(
      () => true,
      () => false,
    );
  const purgeRaw = async (place: Place) =>
    await purgeLedger(place.database, place.orgId, await cutoffsOf(place.database.db, ONLY_RAW));
  /** As if this database had used the store for so many days. */
  const ownedForDays = async (days: number) => {
    await sweepBlobs({ database: ledger.database, blobs });
    const [database] = (await blobs.owner())!.split(' ');
    await blobs.setOwner(`${database} ${new Date(Date.now() - days * 86_400_000).toISOString()}\n`);
  };
  const removeAll = () => removeBlobs(ledger.database, (sha256) => blobs.delete(sha256));

  it('the bytes of old deliveries go, their reports stay, and a request for them gets the reason', async () => {
    const place = await another(ledger);
    const { database, orgId } = place;
    const contents = [...reportsOf(numbers(0, 5)), Buffer.from('no report')];
    const ids = await given(place, contents);
    const before = await figuresOf(place);
    await grownOld(place);
    const young = reportsOf([7]);
    await given(place, young);
    const whole = await figuresOf(place);
    expect(before).not.toEqual(whole);
    const size = contents.reduce((sum, { length }) => sum + length, 0);
    expect((await purgeRaw(place)).raw).toEqual({ deliveries: 6, bytes: size });
    expect(await removeAll()).toBe(6);
    expect(await Promise.all(contents.map(isThere))).toEqual(contents.map(() => false));
    expect(await isThere(young[0]!)).toBe(true);
    expect(await figuresOf(place)).toEqual(whole);
    expect(await findMessage(database.db, orgId, ids[0]!)).toMatchObject({
      state: 'stored',
      bytesPurgedAt: expect.any(Date),
    });
    expect(await findMessage(database.db, orgId, ids[5]!)).toMatchObject({ state: 'refused', code: 'not_a_report' });
    expect(await auditRaw(place, orgId, 100)).toEqual({ checked: 1, missing: 0, differing: [] });
    for (const replay of [previewReplay, replayDeliveries]) {
      const { deliveries } = await replay(place, orgId, {});
      expect(deliveries.read).toBe(1);
      expect(deliveries.missing.map(({ code }) => code)).toEqual(Array(6).fill('bytes_purged'));
    }
    expect(await figuresOf(place)).toEqual(whole);
    expect(await driftOf(place)).toBe(0);
    const [again] = await receive(place, contents[0]!); // the same delivery: nothing is to be read
    expect(again).toBe(ids[0]);
    expect(await settled(place)).toBeUndefined();
    expect(await figuresOf(place)).toEqual(whole);
  });

  it('bytes that two organizations share stay until neither keeps them', async () => {
    const [one, two] = [await another(ledger), await another(ledger)];
    const [content] = reportsOf([11]);
    await given(one, [content!]);
    await grownOld(one);
    await given(two, [content!]);
    await purgeRaw(one);
    await removeAll();
    expect(await isThere(content!)).toBe(true);
    expect(await rowsWithoutBytes(two)).toEqual([]);
    await grownOld(two);
    await purgeRaw(two);
    await removeAll();
    expect(await isThere(content!)).toBe(false);
  });

  it('bytes that come while they are being deleted are there when their delivery is entered', async () => {
    const [one, two] = [await another(ledger), await another(ledger)];
    const [content] = reportsOf([12]);
    await given(one, [content!]);
    await grownOld(one);
    await purgeRaw(one);
    let coming: Promise<string[]> | undefined;
    const put = await blobs.put(content!); // the store reports to the next receiver that it is there already
    await removeBlobs(ledger.database, async (sha256) => {
      if (sha256.equals(put.sha256)) coming = receive(two, content!);
      await blobs.delete(sha256);
    });
    await coming;
    expect(await isThere(content!)).toBe(true);
    await settled(two);
    await removeAll();
    expect(await rowsWithoutBytes(two)).toEqual([]);
  });

  it('bytes whose deletion was cut off after the store had done it are stored anew when they come again', async () => {
    const [one, two] = [await another(ledger), await another(ledger)];
    const [content] = reportsOf([13]);
    await given(one, [content!]);
    await grownOld(one);
    await purgeRaw(one);
    const cutOff = removeBlobs(ledger.database, async (sha256) => {
      await blobs.delete(sha256);
      throw new Error('killed');
    });
    await expect(cutOff).rejects.toThrow('killed');
    await given(two, [content!]);
    await removeAll();
    expect(await isThere(content!)).toBe(true);
    expect(await rowsWithoutBytes(two)).toEqual([]);
  });

  it('whatever comes and goes at the same time, no delivery is without its bytes', async () => {
    const places = [await another(ledger), await another(ledger), await another(ledger)];
    const contents = reportsOf(numbers(20, 30));
    for (let round = 0; round < 5; round += 1) {
      for (const place of places) await grownOld(place);
      await Promise.all([
        ...places.map(async (place, i) => {
          if (i !== round % 3) await receive(place, ...contents);
          await transact(ledger.database, ({ db }) =>
            db
              .deleteFrom('raw_message')
              .where('org_id', '=', places[round % 3]!.orgId)
              .execute(),
          );
          await receive(place, ...contents.toReversed());
        }),
        ...places.map(purgeRaw),
        removeAll(),
        removeAll(),
      ]);
    }
    for (const place of places) await settled(place);
    await removeAll();
    expect(await rowsWithoutBytes(ledger)).toEqual([]);
    expect(ledger.faults).toEqual([]);
  });

  it('bytes without a delivery go after a day, and so does what was never finished', async () => {
    const place = await another(ledger);
    const strays = numbers(0, 12).map((i) => Buffer.from(`stray ${i}`));
    const [kept] = reportsOf([31]);
    await given(place, [kept!]);
    for (const stray of strays) await blobs.put(stray);
    const fresh = (await blobs.put(Buffer.from('just put'))).sha256;
    for (const bytes of [...strays, kept!]) store.age(sha256Of(bytes), 25);
    await ownedForDays(3);
    expect((await sweepBlobs({ database: ledger.database, blobs })).blobs).toBe(12);
    expect(await Promise.all(strays.map(isThere))).toEqual(strays.map(() => false));
    expect(await isThere(kept!)).toBe(true);
    await blobs.get(fresh);
    expect((await sweepBlobs({ database: ledger.database, blobs })).blobs).toBe(0);
    await given(place, [strays[0]!]);
    expect(await rowsWithoutBytes(ledger)).toEqual([]);
  });

  it.each([
    ['a fresh database', []],
    ['a backup of the database', reportsOf([32])],
  ])('bytes that were stored before %s took the store over stay', async (_name, known) => {
    const place = await another(ledger);
    const contents = [...reportsOf([33, 34]), Buffer.from('from an upload')];
    await given(place, [...known, ...contents]);
    for (const bytes of [...known, ...contents]) store.age(sha256Of(bytes), 48);
    await ownedForDays(3);
    await using other = await cloneDatabase();
    const { id: orgId } = await createOrganization(other.db, { name: 'Acme' });
    await receive({ database: other, blobs, orgId }, ...known);
    let takenOver = 0;
    const sweep = async (database: Database) =>
      (await sweepBlobs({ database, blobs, onTakenOver: () => (takenOver += 1) })).blobs;
    expect([await sweep(other), await sweep(other), takenOver]).toEqual([0, 0, 1]);
    expect([await sweep(ledger.database), await sweep(other), takenOver]).toEqual([0, 0, 3]); // both use it
    expect(await Promise.all(contents.map(isThere))).toEqual([true, true, true]);
  });

  const small = { ip: '192.0.2.7', count: 3 };
  const COPIES = [
    reportXml({ records: [small] }),
    reportXml({ records: [small, { ip: '192.0.2.8', count: 4, dkim: 'pass' }] }),
    reportXml({ records: [{ ip: '192.0.2.9', count: 900 }] }),
    Buffer.from(
      reportXml({ records: [small, { ip: '192.0.2.8', count: 4, dkim: 'pass' }] })
        .toString()
        .replaceAll('\n', '\r\n'),
    ),
  ];
  /** A mail that came in an hour of that day; each organization has bytes of its own. */
  const mailOf = ([copy, hour]: Mailed, { orgId }: Place) =>
    reportMail({
      xml: COPIES[copy]!,
      receivedAt: new Date(Date.UTC(2026, 0, 2, hour)),
      subject: `Report for ${orgId}`,
    });

  it.concurrent.for<[string, Mailed, Mailed]>([
    ['contains the counted one', [0, 1], [1, 2]],
    ['is contained in the counted one', [1, 1], [0, 2]],
    ['came by mail before the counted one', [0, 2], [2, 1]],
    ['came by mail after the counted one', [0, 1], [2, 2]],
    ['says the same as the counted one', [1, 1], [1, 2]],
    ['says the same as the counted one in other bytes', [1, 1], [3, 2]],
  ])('a copy that %s is judged as if the bytes of that were still there', async ([, first, second], { expect }) => {
    const answerOf = async (isPurged: boolean) => {
      const place = await another(ledger);
      const mailbox = await openMailbox(place);
      await mailbox.bring(mailOf(first, place));
      await settled(place);
      if (isPurged) {
        await grownOld(place);
        await purgeRaw(place);
        await removeAll();
      }
      await expect.poll(() => isThere(mailOf(first, place))).toBe(!isPurged);
      await mailbox.bring(mailOf(second, place));
      await settled(place);
      expect(await driftOf(place)).toBe(0);
      const report = await place.database.db
        .selectFrom('report')
        .select(['id', 'payload_sha256', 'messages'])
        .where('org_id', '=', place.orgId)
        .executeTakeFirstOrThrow();
      const warnings = await findWarnings(place.database.db, place.orgId, report.id);
      return { ...report, id: null, warnings };
    };
    const [purged, whole] = await Promise.all([answerOf(true), answerOf(false)]);
    expect(purged).toEqual(whole);
  });

  it('the daily work on an organization is done by the job', async () => {
    const place = await another(ledger);
    const contents = reportsOf(numbers(40, 44));
    await given(place, contents);
    await grownOld(place);
    const needs = { ...place, retention: { days: 400, rawDays: 90, failureReportDays: 30 } };
    const counts: [string, number][] = [];
    await purgeOrganization({ ...needs, onPurged: (kind, count) => counts.push([kind, count]) }, place);
    expect(Object.fromEntries(counts)).toMatchObject({ reports: 4, deliveries: 4, raw: 4, blobs: 4 });
    expect(await Promise.all(contents.map(isThere))).toEqual([false, false, false, false]);
    const { purge_due_at } = await place.database.db
      .selectFrom('organization')
      .select('purge_due_at')
      .where('id', '=', place.orgId)
      .executeTakeFirstOrThrow();
    expect(purge_due_at.getTime()).toBeGreaterThan(Date.now() + 20 * 3_600_000);
  });
});

it('a folder forgets what was begun and never finished', async () => {
  const path = mkdtempSync(join(tmpdir(), 'dmarc-ledger-leftovers-'));
  const blobs = await openBlobs(pathToFileURL(path).href);
  for (const name of ['old', 'new']) writeFileSync(join(path, 'tmp', name), 'half');
  utimesSync(join(path, 'tmp', 'old'), 1, 1);
  expect(await blobs.removeLeftovers(new Date(Date.now() - 86_400_000))).toBe(1);
  expect(await blobs.removeLeftovers(new Date(Date.now() - 86_400_000))).toBe(0);
  rmSync(path, { recursive: true });
});
