import { parseArgs } from 'node:util';
import pg from 'pg';
import { openBench, type SetName } from './bench.ts';
import { openIngesting } from './ingested.ts';
import { openLab } from './lab.ts';
import { readOptions } from './options.ts';
import { digits } from './row.ts';

// Where the cost of end to end goes, by statement, table and index: for tuning, with no targets.
// Usage: node scripts/node24.js bench/account.ts [--set many|middle|huge] [--quick] [--seed N]

const TOP = 40;
const SETTINGS = {
  shared_preload_libraries: 'pg_stat_statements',
  'pg_stat_statements.track_planning': 'on',
};
const SETS: readonly SetName[] = ['many', 'middle', 'huge'];

const { values } = parseArgs({
  options: {
    set: { type: 'string', default: 'many' },
    quick: { type: 'boolean', default: false },
    seed: { type: 'string', default: '1' },
  },
});
const setName = SETS.find((name) => name === values.set);
if (!setName) throw new Error(`There is no set ${values.set}; there are ${SETS.join(', ')}.`);

const lab = await openLab(SETTINGS);
try {
  const bench = openBench(lab, readOptions([...(values.quick ? ['--quick'] : []), '--seed', values.seed]), console.log);
  const set = await bench.set(setName);
  const { databaseUrl, start, ingest } = await openIngesting(lab);
  const admin = new pg.Client(databaseUrl);
  await admin.connect();
  await admin.query('create extension if not exists pg_stat_statements; select pg_stat_statements_reset()');
  const cost = await ingest(set);
  console.log(`start: ${digits(start.client)} + ${digits(start.server)} s`);
  console.log(`${setName}: ${digits(cost.client)} + ${digits(cost.server)} s, ${digits(cost.wall)} by the clock`);
  await showStatements(admin, set.totals.records);
  await showRelations(admin, set.totals.records);
  await admin.end();
} finally {
  await lab.close();
}

/** Statements by their time on the server, which includes waiting for locks and, for COPY, for the client. */
async function showStatements(admin: pg.Client, records: number): Promise<void> {
  const { rows } = await admin.query<{ calls: string; plan: number; exec: number; log: number; query: string }>(
    `select calls, total_plan_time as plan, total_exec_time as exec, wal_bytes::float8 as log,
       regexp_replace(query, '\\s+', ' ', 'g') as query
     from pg_stat_statements s join pg_database d on d.oid = s.dbid
     where d.datname = current_database() and query not like '%pg_stat_statements%'
     order by total_plan_time + total_exec_time desc`,
  );
  console.log(`${rows.reduce((sum, { calls }) => sum + Number(calls), 0)} statements`);
  console.log(' plan ms  execute ms   calls  log B/record');
  for (const { calls, plan, exec, log, query } of rows.slice(0, TOP)) {
    const figures = [plan.toFixed(0).padStart(8), exec.toFixed(0).padStart(11), calls.padStart(7)];
    console.log(`${figures.join(' ')} ${(log / records).toFixed(0).padStart(13)}  ${query.trim().slice(0, 120)}`);
  }
}

/** Tables and indexes by their size. */
async function showRelations(admin: pg.Client, records: number): Promise<void> {
  const { rows } = await admin.query<{ name: string; bytes: number; detail: string }>(
    `select c.relname as name, pg_table_size(c.oid)::float8 as bytes,
       format('%s inserted, %s updated, %s of them in place', n_tup_ins, n_tup_upd, n_tup_hot_upd) as detail
     from pg_class c join pg_stat_user_tables s on s.relid = c.oid
     union all
     select indexrelname, pg_relation_size(indexrelid), format('index of %s, %s scans', relname, idx_scan)
     from pg_stat_user_indexes
     order by bytes desc`,
  );
  console.log(' B/record');
  for (const { name, bytes, detail } of rows.filter((row) => row.bytes >= records))
    console.log(`${(bytes / records).toFixed(1).padStart(9)}  ${name} (${detail})`);
  console.log(`${(rows.reduce((sum, { bytes }) => sum + bytes, 0) / records).toFixed(1).padStart(9)}  in all`);
}
