import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openBlobs } from '@dmarc-ledger/blobs';
import { createOrganization, openClaimant, openDimensions, planEvents } from '@dmarc-ledger/ledger';
import { publicSuffixDomains } from '@dmarc-ledger/dmarc';
import {
  cloneDatabase,
  reportXml,
  travellingClock,
  type ClonedDatabase,
  type DescribedReport,
} from '@dmarc-ledger/testkit';
import { startOfDay, type Day } from '@dmarc-ledger/vocabulary';
import {
  alignReports,
  classifyReports,
  judgeSignatures,
  judgeSources,
  raiseEvents,
  receiveMessages,
  takeIn,
} from '../src/index.ts';

/** One organization whose clock the test sets. Reports pass through the whole pipeline. */
export interface EventFixture extends AsyncDisposable {
  database: ClonedDatabase;
  orgId: string;
  /** Sets the clock to so many hours, minutes and seconds after the day began. */
  itIs(day: Day, hours?: number, minutes?: number, seconds?: number): void;
  /** Deliveries that are received, stored, and judged. */
  arrive(...reports: DescribedReport[]): Promise<void>;
  /** Deliveries that are received as they are. */
  handIn(...contents: Buffer[]): Promise<void>;
  /** Waits until records and sources are judged. */
  judge: () => Promise<void>;
  /** Runs the scheduler and the workers: several of them evaluate each due domain, each twice. */
  look: () => Promise<void>;
  /** All events in the order in which they were raised. */
  events(): Promise<StoredEvent[]>;
}

interface StoredEvent {
  type: string;
  domain: string;
  key: string;
  severity: string;
  message: string;
  raised: Day;
  resolved: Day | null;
  isAcknowledged: boolean;
}

/** `npm run soak` has four. */
const EVALUATORS = Number(process.env['EVENT_EVALUATORS'] ?? 2);

export async function openEventFixture(): Promise<EventFixture> {
  const database = await cloneDatabase();
  const clock = travellingClock(database);
  const { id: orgId } = await createOrganization(database.db, { name: 'Org' });
  const folder = mkdtempSync(join(tmpdir(), 'dmarc-ledger-events-'));
  const blobs = await openBlobs(pathToFileURL(folder).href);
  const claimant = openClaimant(database);
  const onFault = (message: string, error: unknown) => {
    throw new Error(message, { cause: error });
  };
  const intake = { database, blobs, claimant, dimensions: openDimensions(database), onFault };
  const needs = { database, organizationalDomain: publicSuffixDomains() };
  const judge = async () => {
    for (;;) {
      const { rows } = await database.pool.query<{ id: string }>('select report_id as id from unjudged_report');
      for (let at = 0; at < rows.length; at += 100) {
        const payload = { orgId, reportIds: rows.slice(at, at + 100).map(({ id }) => id) };
        await alignReports(needs, payload);
        await classifyReports(needs, payload);
      }
      const { rows: marked } = await database.pool.query<{ id: string }>(
        'select distinct domain_id as id from unjudged_signature',
      );
      for (const { id } of marked) await judgeSignatures(needs, { orgId, domainId: id });
      if (rows.length + marked.length === 0) break;
    }
    const { rows: sources } = await database.pool.query<{ ip: string }>(
      'select host(source_ip) as ip from unjudged_source',
    );
    await judgeSources(needs, { orgId, addresses: sources.map(({ ip }) => ip) });
  };
  const handIn = async (...contents: Buffer[]) => {
    const arrivals = contents.map((content) => ({ content, source: 'file' as const, name: null }));
    await receiveMessages({ database, blobs }, orgId, arrivals);
    while ((await takeIn(intake, null)) !== null);
    await judge();
  };
  return {
    database,
    orgId,
    itIs: (day, hours = 0, minutes = 0, seconds = 0) =>
      clock.set(new Date((startOfDay(day) + hours * 3_600 + minutes * 60 + seconds) * 1_000)),
    handIn,
    arrive: (...reports) => handIn(...reports.map((report) => reportXml(report))),
    judge,
    async look() {
      while ((await planEvents(database, { atOnce: 100, lostAfterSeconds: 600 })) > 0) {
        const { rows } = await database.pool.query<{ payload: { orgId: string; domainId: string } }>(
          `delete from outbox where job = 'raiseEvents' returning payload`,
        );
        const twice = [...rows, ...rows];
        const one = async () => {
          for (const { payload } of twice) await raiseEvents({ database }, payload);
        };
        await Promise.all(Array.from({ length: EVALUATORS }, one));
      }
    },
    async events() {
      const { rows } = await database.pool.query<StoredEvent>(`
        select type, domain, dedup_key as key, severity, message, (created_at at time zone 'utc')::date::text as raised,
          (resolved_at at time zone 'utc')::date::text as resolved, acknowledged_at is not null as "isAcknowledged"
        from event order by created_at, dedup_key`);
      return rows;
    },
    async [Symbol.asyncDispose]() {
      claimant.release();
      await database[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
