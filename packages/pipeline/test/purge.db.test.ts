import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { fileURLToPath } from 'node:url';
import {
  addDomain,
  cutoffsOf,
  findFinishedItems,
  hasOpenItems,
  markActed,
  removeDomain,
  type Retention,
} from '@dmarc-ledger/ledger';
import { findDomains } from '@dmarc-ledger/queries';
import { DAY_ONE, reportMail, reportXml } from '@dmarc-ledger/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { computeHealth, previewPurge, purgeLedger } from '../src/index.ts';
import { driftOf, openLedger, receive, settled, type Ledger } from './ledger.ts';
import { openMailbox } from './mailboxes.ts';
import { another, figuresOf, given, grownOld, numbers, reportsOf, type Place } from './purge-fixture.ts';

let ledger: Ledger;
beforeAll(async () => {
  ledger = await openLedger('Postgres');
});
afterAll(() => ledger[Symbol.asyncDispose]());

const USUAL: Retention = { days: 400, rawDays: 90, failureReportDays: 30 };
const cutoffs = (retention = USUAL) => cutoffsOf(ledger.database.db, retention);
const purge = async (place: Place, goOn?: () => Promise<boolean>) =>
  await purgeLedger(place.database, place.orgId, await cutoffs(), goOn);

/** As many as are removed in three transactions. */
const OLD = numbers(0, 210);
const YOUNG = numbers(210, 310);

it('leaves, of reports half of which are old, the figures of the other half', async () => {
  const [place, other] = [await another(ledger), await another(ledger)];
  const [old, young] = [reportsOf(OLD), reportsOf(YOUNG)];
  await given(place, old);
  await grownOld(place);
  await Promise.all([given(place, young), given(other, young)]);
  const foretold = await previewPurge(ledger.database, place.orgId, await cutoffs());
  expect(await previewPurge(ledger.database, place.orgId, await cutoffs())).toEqual(foretold);
  expect(foretold).toMatchObject({ reports: 210, records: 630, deliveries: 210 });
  const drifts: number[] = [];
  const purged = await purge(place, async () => {
    drifts.push(await driftOf(place));
    return true;
  });
  expect(purged).toEqual(foretold);
  expect(drifts.length).toBeGreaterThan(3);
  expect(drifts.every((drift) => drift === 0)).toBe(true);
  expect(await figuresOf(place)).toEqual(await figuresOf(other));
  expect(await purge(place)).toMatchObject({ reports: 0, deliveries: 0, raw: { deliveries: 0, bytes: 0 } });
  for (const table of ['report_record', 'report_revision', 'parse_warning'] as const) {
    const rows = (orgId: string) =>
      ledger.database.db
        .selectFrom(table)
        .select((eb) => eb.fn.countAll<number>().as('rows'))
        .where('org_id', '=', orgId)
        .executeTakeFirst();
    expect(await rows(place.orgId)).toEqual(await rows(other.orgId));
  }
});

it('leaves nothing of what became of the mail of a day whose reports are gone, also of a domain left unmonitored', async () => {
  const place = await another(ledger);
  await given(place, reportsOf(OLD.slice(0, 5)));
  const { db } = place.database;
  const now = () => new Date((DAY_ONE + 10 * 86_400) * 1_000);
  const domains = await db.selectFrom('domain').select(['id', 'name']).where('org_id', '=', place.orgId).execute();
  for (const { id } of domains)
    await computeHealth({ database: place.database, now }, { orgId: place.orgId, domainId: id });
  const days = async () =>
    (await db.selectFrom('enforcement_day').select('day').where('org_id', '=', place.orgId).execute()).length;
  expect(await days()).toBeGreaterThan(0);
  for (const { name } of domains) await removeDomain(place.database, place.orgId, name);
  await grownOld(place);
  await purge(place);
  expect(await days()).toBe(0);
});

it('keeps every figure right while reports are purged by two at once and others come in', async () => {
  const [place, other] = [await another(ledger), await another(ledger)];
  const [old, young] = [reportsOf(OLD), reportsOf(YOUNG)];
  await given(place, old);
  await grownOld(place);
  const done = new AbortController();
  const drifts: number[] = [];
  const watching = (async () => {
    for (; !done.signal.aborted; await sleep(100)) drifts.push(await driftOf(place));
  })();
  const coming = (async () => {
    for (let at = 0; at < young.length; at += 20) await receive(place, ...young.slice(at, at + 20));
  })();
  const purged = await Promise.all([purge(place), purge(place)]);
  await coming;
  await settled(place);
  done.abort();
  await watching;
  expect(purged[0].reports + purged[1].reports).toBe(210);
  expect(drifts.filter((drift) => drift > 0)).toEqual([]);
  expect(await driftOf(place)).toBe(0);
  await given(other, young);
  expect(await figuresOf(place)).toEqual(await figuresOf(other));
});

it('goes on where a process was killed in the middle', async () => {
  const [place, other] = [await another(ledger), await another(ledger)];
  await given(place, reportsOf(OLD));
  await grownOld(place);
  await given(place, reportsOf(numbers(310, 330)));
  for (const passes of [1, 2]) {
    const script = fileURLToPath(new URL('purge-process.ts', import.meta.url));
    const child = spawn(process.execPath, [script, ledger.databaseUrl, place.orgId, `F17=kill@${passes}`], {
      stdio: 'inherit',
    });
    expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
    expect(await driftOf(place)).toBe(0);
  }
  const left = await ledger.database.db.selectFrom('report').select('id').where('org_id', '=', place.orgId).execute();
  expect(left.length).toBeLessThan(230);
  await purge(place);
  await given(other, reportsOf(numbers(310, 330)));
  expect(await figuresOf(place)).toEqual(await figuresOf(other));
});

it('purges a report of many records, and the sums follow', async () => {
  const place = await another(ledger);
  // more records than are removed in one transaction; few addresses and little failing mail, as judging is not tested
  const records = Array.from({ length: 20_001 }, (_, i) => ({
    ip: `10.0.0.${i % 49}`,
    count: 1,
    dkim: i % 100 ? ('pass' as const) : ('fail' as const),
  }));
  await given(place, [reportXml({ id: 'large', records })]);
  await grownOld(place);
  await given(place, reportsOf([1]));
  expect(await purge(place)).toMatchObject({ reports: 1, records: 20_001 });
  await settled(place);
  expect(await driftOf(place)).toBe(0);
});

it('counts a purged report again when it comes again, and monitors its domain again', async () => {
  const place = await another(ledger);
  const { db } = ledger.database;
  const names = async () => (await findDomains(db, place.orgId, { limit: 10, offset: 0 })).rows.map(({ name }) => name);
  await given(place, reportsOf([0, 1]));
  const before = await figuresOf(place);
  await grownOld(place);
  await purge(place);
  expect(await names()).toEqual([]);
  expect(await driftOf(place)).toBe(0);
  await given(place, reportsOf([0, 1]));
  expect(await names()).toEqual(['alpha.example', 'beta.example']);
  expect(await figuresOf(place)).toEqual(before);
  expect(await driftOf(place)).toBe(0);
});

it('counts a purged report again when a copy comes again of which a younger delivery is kept', async () => {
  const place = await another(ledger);
  const copy = (count: number) => reportXml({ id: 'one', records: [{ ip: '192.0.2.7', count }] });
  await given(place, [copy(3)]);
  await grownOld(place);
  await given(place, [copy(4)]);
  expect(await purge(place)).toMatchObject({ reports: 1 });
  await given(place, [gzipSync(copy(4))]);
  const counted = place.database.db.selectFrom('org_total').select('messages').where('org_id', '=', place.orgId);
  expect(await counted.executeTakeFirst()).toEqual({ messages: 4 });
  expect(await driftOf(place)).toBe(0);
});

it('keeps what no age is set for', async () => {
  const place = await another(ledger);
  await given(place, reportsOf([1, 2]));
  await grownOld(place);
  const kept = await cutoffs({ days: null, rawDays: null, failureReportDays: null });
  expect(await purgeLedger(place.database, place.orgId, kept)).toMatchObject({ reports: 0, raw: { deliveries: 0 } });
  const raw = await cutoffs({ days: null, rawDays: 90, failureReportDays: null });
  expect(await purgeLedger(place.database, place.orgId, raw)).toMatchObject({ reports: 0, raw: { deliveries: 2 } });
});

it('a domain that a person removed stays removed when reports come, also where a purge had dropped it before', async () => {
  const place = await another(ledger);
  const { db } = ledger.database;
  const monitored = async () =>
    (await findDomains(db, place.orgId, { limit: 50, offset: 0 })).rows.map(({ name }) => name);
  await given(place, [reportXml({ id: 'old', domain: 'left.example' })]);
  expect(await monitored()).toEqual(['left.example']);
  await grownOld(place);
  await purge(place);
  expect(await monitored()).toEqual([]);
  await addDomain(db, place.orgId, 'left.example', {});
  expect(await removeDomain(ledger.database, place.orgId, 'left.example')).toBe(true);
  await given(place, [reportXml({ id: 'new', domain: 'left.example' })]);
  expect(await monitored()).toEqual([]);
});

it('mail of a mailbox that was paused until its deliveries were deleted is put aside as known, but not refused', async () => {
  const place = await another(ledger);
  const { db } = ledger.database;
  const mailbox = await openMailbox(place);
  const key = { orgId: place.orgId, mailboxId: mailbox.id };
  await mailbox.bring(...reportsOf([1, 2]).map((xml) => reportMail({ xml })));
  await settled(place);
  await grownOld(place);
  expect((await purge(place)).deliveries).toBe(2);
  await mailbox.bring(...reportsOf([3]).map((xml) => reportMail({ xml }))); // its delivery is not read yet
  const finished = await findFinishedItems(db, key, 1, 10);
  expect(finished).toEqual([1, 2].map((uid) => ({ uid, isRefused: false })));
  await markActed(db, key, { uidValidity: 1, uids: [1, 2] }, 'moved');
  expect(await findFinishedItems(db, key, 1, 10)).toEqual([]);
  await settled(place);
  await markActed(db, key, { uidValidity: 1, uids: [3] }, 'moved');
  expect(await hasOpenItems(db, key, 1)).toBe(false);
});

it('deletes nothing more once its caller stops it', async () => {
  const place = await another(ledger);
  await given(place, reportsOf([1, 2]));
  await grownOld(place);
  const first = await purge(place, async () => false);
  expect(first).toMatchObject({ reports: 2, deliveries: 0, raw: { deliveries: 0 } });
  expect((await purge(place)).deliveries).toBe(2);
});
