import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  createOrganization,
  cutoffsOf,
  findDrift,
  openClaimant,
  openDimensions,
  removeDetails,
} from '@dmarc-ledger/ledger';
import { transact } from '@dmarc-ledger/schema';
import { DAY_ONE, reportXml, type DescribedReport } from '@dmarc-ledger/testkit';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { purgeLedger, runIntake } from '../src/index.ts';
import { holdStatement } from './held-statement.ts';
import { driftOf, openLedger, receive, settled, type Ledger } from './ledger.ts';
import { grownOld } from './purge-fixture.ts';

type Records = NonNullable<DescribedReport['records']>;

let ledger: Ledger;
beforeAll(async () => {
  ledger = await openLedger('Postgres');
});
afterAll(() => ledger[Symbol.asyncDispose]());

/** An organization of its own in the ledger, and how its records and details stand. */
async function another() {
  const { database, blobs } = ledger;
  const { id: orgId } = await createOrganization(database.db, { name: randomUUID() });
  const place = { database, blobs, orgId };
  const select = async <Row extends pg.QueryResultRow>(text: string) =>
    (await database.pool.query<Row>(text, [orgId])).rows;
  return {
    ...place,
    async give(...reports: Buffer[]) {
      await receive(place, ...reports);
      await settled(place);
    },
    drift: () => driftOf(place),
    details: async () =>
      (await select<{ id: string }>('select id from record_detail where org_id = $1 order by id')).map(({ id }) => id),
    records: async () =>
      await select(
        `select r.report_id, s.position, s.source_ip, s.messages, s.disposition, s.header_from, s.envelope_from, s.envelope_to, s.reasons,
           s.dkim_results, s.spf_results, s.dkim_aligned, s.spf_aligned, s.class
         from report_record s join report r on r.org_id = s.org_id and r.id = s.report_id where s.org_id = $1 order by 1, 2`,
      ),
    ownDetails: async () =>
      (
        await select<{ own: number }>(
          'select count(*)::int as own from stored_record where org_id = $1 and detail_id is null',
        )
      )[0]?.own,
  };
}

const passing: Records[number] = { ip: '192.0.2.1', count: 2, dkim: 'pass', spf: 'pass' };
const reportOf = (id: string, records: Records) => reportXml({ id, records });
/** So many records that differ in what they say. */
const different = (count: number): Records =>
  Array.from({ length: count }, (_, i) => ({ ip: '192.0.2.1', count: 1, dkim: 'pass', selector: `s${i}` }));

it('keeps once for an organization what its records say besides address and number', async () => {
  const [one, two] = [await another(), await another()];
  const records: Records = [passing, { ...passing, ip: '192.0.2.2' }, { ip: '192.0.2.3', count: 4, reason: 'other' }];
  await one.give(reportOf('a', records), reportOf('b', [passing]));
  await one.give(reportOf('c', records));
  await two.give(reportOf('a', records));
  expect(await one.details()).toHaveLength(2);
  expect(await two.details()).toEqual(await one.details());
  expect(await one.ownDetails()).toBe(0);
  expect(await one.records()).toHaveLength(7);
  expect((await one.records()).slice(1, 3)).toEqual([
    {
      report_id: 'a',
      position: 2,
      source_ip: '192.0.2.2',
      messages: 2,
      disposition: 'none',
      header_from: 'example.com',
      envelope_from: null,
      envelope_to: null,
      reasons: null,
      class: 'authenticated',
      dkim_results: [{ domain: 'example.com', selector: 's1', result: 'pass' }],
      spf_results: [{ domain: 'example.com', scope: 'mfrom', result: 'pass' }],
      dkim_aligned: [true],
      spf_aligned: [true],
    },
    expect.objectContaining({
      position: 3,
      reasons: [{ type: 'other', comment: null }],
      class: 'needs_review',
      dkim_results: [{ domain: 'example.com', selector: 's1', result: 'fail' }],
    }),
  ]);
});

it('keeps the recipient with each record, as Microsoft names one in each', async () => {
  const place = await another();
  const recipients = ['one.example', 'two.example', 'three.example'];
  const xml = reportOf('r', [passing, passing, passing]).toString();
  const [first, ...rest] = xml.split('<header_from>');
  await place.give(
    Buffer.from(
      [first, ...rest.map((part, i) => `${recipients[i]}</envelope_to><header_from>${part}`)].join('<envelope_to>'),
    ),
  );
  expect((await place.records()).map(({ envelope_to: recipient }) => recipient)).toEqual(recipients);
  expect(await place.details()).toHaveLength(1);
});

it('keeps with a record what too many others of its transaction say otherwise', async () => {
  const many = await another();
  await many.give(reportOf('many', different(2_100)));
  expect(await many.details()).toHaveLength(2_000);
  expect(await many.ownDetails()).toBe(100);
  const records = await many.records();
  expect(records).toHaveLength(2_100);
  for (const [i, record] of records.entries())
    expect(record).toMatchObject({
      header_from: 'example.com',
      dkim_results: [{ domain: 'example.com', selector: `s${i}`, result: 'pass' }],
      dkim_aligned: [true],
    });
  expect(await many.drift()).toBe(0);
});

it('takes in the same new details through several ingesters at once', async () => {
  const [beside, alone] = [await another(), await another()];
  const reports = Array.from({ length: 60 }, (_, i) => {
    const records = different(50);
    return reportXml({
      id: `r${i}`,
      begin: DAY_ONE + (i % 9) * 86_400,
      records: i % 2 ? records : records.toReversed(),
    });
  });
  const faults: unknown[] = [];
  const done = new AbortController();
  const ingesters = Array.from({ length: 3 }, async () => {
    const { database, blobs } = ledger;
    const claimant = openClaimant(database);
    const onFault = (_: string, error: unknown) => void faults.push(error);
    const dimensions = openDimensions(database);
    await runIntake(
      { database, blobs, claimant, dimensions, onFault, load: { deliveries: 5, bytes: 1e6 } },
      done.signal,
    );
    claimant.release();
  });
  await beside.give(...reports);
  done.abort();
  await Promise.all(ingesters);
  await alone.give(...reports);
  expect(faults).toEqual([]);
  expect(await beside.details()).toEqual(await alone.details());
  expect(await beside.records()).toEqual(await alone.records());
  expect(await beside.drift()).toBe(0);
});

it('removes details with the last report that uses them, and none of another', async () => {
  const place = await another();
  await place.give(reportOf('old', [passing, ...different(3)]));
  await grownOld(place);
  await age(place.orgId, 500);
  await place.give(reportOf('new', [passing, ...different(1)]));
  const before = await place.records();
  await purgeLedger(
    ledger.database,
    place.orgId,
    await cutoffsOf(ledger.database.db, { days: 400, rawDays: null, failureReportDays: null }),
  );
  expect(await place.records()).toEqual(before.filter(({ report_id: id }) => id === 'new'));
  expect(await place.details()).toHaveLength(2);
  expect(await place.drift()).toBe(0);
});

it('removes no detail of a report that another transaction keeps from being purged', async () => {
  const place = await another();
  await place.give(reportOf('old', [passing]));
  await grownOld(place);
  await age(place.orgId, 500);
  expect(await transact(ledger.database, (session) => removeDetails(session, place.orgId, new Date()))).toBe(0);
  expect(await place.drift()).toBe(0);
});

it('stores a detail again that a purge removes at that moment', async () => {
  const place = await another();
  await place.give(reportOf('old', [passing]));
  await ledger.database.pool.query('delete from stored_record where org_id = $1', [place.orgId]);
  await ledger.database.pool.query('delete from report where org_id = $1', [place.orgId]);
  await age(place.orgId, 500);
  await using purge = holdStatement(ledger.database.socketUrl, 'commit');
  const removing = transact(purge.database, (session) => removeDetails(session, place.orgId, new Date()));
  await purge.reached; // removed, not committed
  const storing = place.give(reportOf('new', [passing]));
  await waitForLock(place.orgId);
  purge.letGo();
  expect(await removing).toBe(1);
  await storing;
  expect(await place.details()).toHaveLength(1);
  expect((await place.records())[0]).toMatchObject({ report_id: 'new', header_from: 'example.com' });
});

it('stores a detail again that a purge has locked and not yet removed', async () => {
  const place = await another();
  await place.give(reportOf('old', [passing]));
  await age(place.orgId, 500);
  let storing: Promise<void> | undefined;
  await ledger.database.db.transaction().execute(async (purge) => {
    // a purge locks all that it removes before it removes the first
    await purge.selectFrom('record_detail').select('id').where('org_id', '=', place.orgId).forUpdate().execute();
    storing = place.give(reportOf('new', [passing]));
    await waitForLock(place.orgId);
    await purge.deleteFrom('record_detail').where('org_id', '=', place.orgId).execute();
  });
  await storing;
  expect(await place.details()).toHaveLength(1);
  expect(await place.drift()).toBe(0);
});

it('counts a record whose detail is missing as drift', async () => {
  const place = await another();
  await place.give(reportOf('r', [passing]));
  await ledger.database.pool.query('delete from record_detail where org_id = $1', [place.orgId]);
  const drift = await findDrift(ledger.database, place.orgId);
  expect(drift).toContainEqual({ table: 'record_detail', rows: 1 });
});

it('takes records from processes of the version before, and lets them remove these', async () => {
  const place = await another();
  await place.give(reportOf('r', [passing]));
  const [first] = await place.records();
  const client = new pg.Client(ledger.database.url);
  await client.connect();
  const { rows } = await client.query<{ line: string }>(
    `select concat_ws(E'\\t', org_id, report_id, 2, day, domain_id, source_ip, E'\\\\N', 7, disposition, 't', 't', header_from,
       E'\\\\N', E'\\\\N', E'\\\\N', dkim_results, spf_results, dkim_aligned, spf_aligned, class) as line
     from report_record where org_id = $1`,
    [place.orgId],
  );
  const columns = `org_id, report_id, position, day, domain_id, source_ip, source_text, messages, disposition, dkim_pass,
    spf_pass, header_from, envelope_from, envelope_to, reasons, dkim_results, spf_results, dkim_aligned, spf_aligned, class`;
  const copy = client.query(copyFrom(`copy report_record (${columns}) from stdin`));
  await pipeline(Readable.from([`${rows[0]?.line}\n`]), copy);
  expect(await place.records()).toEqual([first, { ...first, position: 2, messages: 7 }]);
  expect(await place.ownDetails()).toBe(1);
  await client.query('delete from report_record where org_id = $1 and position = 2', [place.orgId]);
  expect(await place.records()).toEqual([first]);
  await client.end();
});

/** As if the details had last been used so many days ago. */
async function age(orgId: string, days: number): Promise<void> {
  await ledger.database.pool.query(
    'update record_detail set used_at = used_at - make_interval(days => $2) where org_id = $1',
    [orgId, days],
  );
}

async function waitForLock(orgId: string): Promise<void> {
  await expect
    .poll(
      async () =>
        (
          await ledger.database.pool.query(
            `select from pg_stat_activity where wait_event_type = 'Lock' and query like '%record_detail%'`,
          )
        ).rowCount,
      { timeout: 30_000, message: orgId },
    )
    .toBeGreaterThan(0);
}
