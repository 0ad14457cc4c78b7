import { findDrift } from '@dmarc-ledger/ledger';
import { openDatabase } from '@dmarc-ledger/schema';
import pg from 'pg';
import type { Bench, SetName } from '../bench.ts';
import type { ReportSet } from '../corpus.ts';
import type { Cost } from '../cpu.ts';
import { floorCost } from '../floor.ts';
import { openIngesting } from '../ingested.ts';
import { expectTotals, totalsOf } from '../ledger.ts';
import { newFileMicroseconds } from '../new-file.ts';
import { compare, spread } from '../rounds.ts';
import { digits, ratioRow, type Row } from '../row.ts';
import { BACKLOG } from './store.ts';

const AT_MOST = { many: 5, middle: 3, huge: 3 };
const NAMES = { many: 'small', middle: 'mid', huge: 'large' };
const AT_MOST_RESEND = 0.3;
const AT_MOST_BYTES = { held: 700, log: 1_200 };

/** What one round has found besides its cost. */
interface Found {
  resend: number;
  held: number;
  log: number;
}

/**
 * From a folder of files to every record stored and judged by the command `ingest`, its start subtracted, beside COPY
 * of the same records into one bare table; then the same files again.
 */
export async function endToEnd(bench: Bench): Promise<Row[]> {
  const rows: Row[] = [];
  for (const name of ['many', 'middle', 'huge'] as const) rows.push(...(await ofSet(bench, name)));
  return rows;
}

async function ofSet({ lab, options, log, set: setOf }: Bench, name: SetName & keyof typeof AT_MOST): Promise<Row[]> {
  const set = await setOf(name);
  log(`    a new file costs ${digits(newFileMicroseconds(lab.folder))} µs here`);
  const found: Found[] = [];
  const product = async () => {
    const { cost, ...rest } = await ingested(lab, set);
    found.push(rest);
    log(`    ${digits(cost.client)} + ${digits(cost.server)} s, ${digits(cost.wall)} by the clock`);
    return cost;
  };
  const floor = () => floorCost(lab, set, BACKLOG, (totals) => expectTotals('floor', set.totals, totals));
  const comparison = await compare(options.rounds, product, floor);
  const of =
    name === 'many'
      ? { unit: 'report' as const, count: set.totals.reports }
      : { unit: 'record' as const, count: set.totals.records };
  const counted = found.slice(1);
  return [
    ratioRow(`end to end ${NAMES[name]}`, comparison, of, AT_MOST[name]),
    {
      name: `resend ${NAMES[name]}, end to end`,
      detail: 'of the first cost',
      unit: '×',
      measured: spread(counted.map(({ resend }) => resend)),
      target: { atMost: AT_MOST_RESEND },
    },
    ...(['held', 'log'] as const).map((what): Row => ({
      name: `${what === 'held' ? 'bytes' : 'log'} a record, ${NAMES[name]}`,
      detail: what === 'held' ? 'all tables with their indexes' : 'write-ahead log, receiving included',
      unit: 'B/record',
      measured: spread(counted.map((one) => one[what] / set.totals.records)),
      target: { atMost: AT_MOST_BYTES[what] },
    })),
  ];
}

/** Removes nothing before the run ends: see `newFileMicroseconds`. */
async function ingested(lab: Bench['lab'], set: ReportSet): Promise<Found & { cost: Cost }> {
  const { databaseUrl, ingest } = await openIngesting(lab);
  const before = await sizesOf(databaseUrl);
  const cost = await ingest(set);
  const after = await sizesOf(databaseUrl);
  await expectExact(databaseUrl, set);
  const again = await ingest(set);
  await expectExact(databaseUrl, set);
  await leaveAlone(databaseUrl);
  return {
    cost,
    resend: (again.client + again.server) / (cost.client + cost.server),
    held: after.held - before.held,
    log: after.log - before.log,
  };
}

/** Has autovacuum pass over a database: what it does there would count as work of the next round. */
async function leaveAlone(url: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(`
    do $$ declare t regclass; begin
      for t in select oid from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace loop
        execute format('alter table %s set (autovacuum_enabled = false)', t);
      end loop;
    end $$`);
  await client.end();
}

/** Bytes of all tables with their indexes, and the position in the write-ahead log. */
async function sizesOf(url: string): Promise<{ held: number; log: number }> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const { rows } = await client.query<{ held: string; log: string }>(
      `select sum(pg_total_relation_size(c.oid)) as held, pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') as log
       from pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace`,
    );
    return { held: Number(rows[0]!.held), log: Number(rows[0]!.log) };
  } finally {
    await client.end();
  }
}

/** The totals of the set, nothing left to judge, and no rollup that differs from its records. */
async function expectExact(url: string, set: ReportSet): Promise<void> {
  const database = openDatabase(url);
  try {
    const { rows } = await database.pool.query<{ id: string; unjudged: number }>(
      'select id, (select count(*) from unjudged_report)::int as unjudged from organization',
    );
    expectTotals(`end to end ${set.name}`, set.totals, await totalsOf(database, rows[0]!.id));
    const drift = (await findDrift(database, rows[0]!.id)).filter((level) => level.rows > 0);
    if (rows[0]!.unjudged > 0 || drift.length > 0)
      throw new Error(`${rows[0]!.unjudged} reports are not judged, or rollups drifted: ${JSON.stringify(drift)}`);
  } finally {
    await database.close();
  }
}
