import { filledDatabase, type FilledDatabase, type WatchedReads, watchReads } from '@dmarc-ledger/testkit';
import {
  findDoubtedReports,
  findDoubtfulMail,
  findDueSources,
  findFigures,
  findFirstReporter,
  findNewNames,
  findOwnFigures,
  findRecords,
  findReportedDays,
  findTrustedSigned,
  findUnread,
  hasTrustedSince,
  holdWatch,
  watchDomains,
  type WatchedDomain,
} from '@dmarc-ledger/ledger';
import type { Session } from '@dmarc-ledger/schema';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { watchReported, watchSources } from '../src/due-work/watch-changes.ts';

/**
 * Further addresses of which something is known. PostgreSQL 15 and 16 read a table of 9,000 whole rather than look up
 * 500 of them, which takes the same time.
 */
const OTHERS = 60_000;

let database: FilledDatabase;
let session: Session;
let orgId: string;
let domain: WatchedDomain;
let doubted: string[];
let watched: WatchedReads;

beforeAll(async () => {
  database = await filledDatabase();
  ({ orgId } = database);
  await database.pool.query(`
    insert into ip_enrichment (address, enriched_at, version)
    select source_ip, now(), 1 from source_total
    union select '172.16.0.0'::inet + i, now(), 1 from generate_series(1, ${OTHERS}) i;
    insert into source_standing (org_id, source_ip, service_slug, facts_version, settled)
    select org_id, source_ip, 'busy', 1, true from source_total
    union all
    select '${orgId}', '172.16.0.0'::inet + i, 'busy', 1, true from generate_series(1, ${OTHERS}) i`);
  await database.pool.query('vacuum analyze');
  watched = watchReads(database);
  const unused = () => Promise.reject(new Error('not by this way'));
  session = { db: watched.db, run: unused, query: unused, copy: unused };
  const { id } = await database.db
    .selectFrom('domain')
    .select('id')
    .where('org_id', '=', orgId)
    .limit(1)
    .executeTakeFirstOrThrow();
  await database.pool.query(
    `update report set unauthenticated = true where id in (select id from report where domain_id = $1 and day <= $2 order by id limit 5)`,
    [id, DAY],
  );
  await watchDomains(session, orgId, [id]);
  doubted = await findDoubtedReports(database.db, orgId, id, DAY);
  domain = (await holdWatch(session, orgId, id))!;
  await database.pool.query(
    `insert into event_source select org_id, domain_id, source_ip, now(), now() from source_domain where domain_id = $1 limit 500`,
    [id],
  );
});
afterAll(() => database[Symbol.asyncDispose]());

const DAY = '2026-01-20';
const mail = () => ({ orgId, domainId: domain.id, doubted });

it.each<[string, () => Promise<unknown>]>([
  ['the figures of a domain', () => findFigures(session.db, mail(), DAY)],
  ['where mail of a day came from', () => findDoubtfulMail(session.db, mail(), [DAY])],
  ['which reporters are there', () => findReportedDays(session.db, mail(), [DAY, '2026-01-19', '2026-01-18'])],
  ['what is published', () => findRecords(session.db, orgId, domain)],
  ['what was signed', () => findTrustedSigned(session.db, mail(), DAY)],
  ['new names', () => findNewNames(session.db, mail(), DAY)],
  ['who reported first', () => findFirstReporter(session.db, orgId, domain.id)],
  ['sources that are due', () => findDueSources(session, mail(), domain, new Map())],
  ['reports that may be forged', () => findDoubtedReports(session.db, orgId, domain.id, DAY)],
  ['own mail', () => findOwnFigures(session.db, mail(), [{ judged: DAY, first: '2026-01-06' }])],
  ['reports since a stop', () => hasTrustedSince(session.db, orgId, domain.id, new Date(DAY))],
  ['sources of which something is known', () => watchSources(session, orgId, ['10.0.0.1', '10.0.0.2'])],
  [
    'sources of reports',
    async () => {
      const reports = await database.db
        .selectFrom('report')
        .select('id')
        .where('org_id', '=', orgId)
        .limit(50)
        .execute();
      await watchReported(
        session,
        orgId,
        reports.map(({ id }) => id),
      );
    },
  ],
  ['what could not be read', () => findUnread(session.db)],
])('a look at %s reads no large table whole', async (_, look) => {
  expect(await watched.readWhole(look)).toEqual([]);
});

it('whether a source was first seen by a report that may be forged is found by the begin of that report', async () => {
  const read = await watched.readBy(() => findDueSources(session, mail(), domain, new Map()));
  expect(read).toContain('report_unauthenticated_begin');
});
