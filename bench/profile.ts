import { mkdirSync, writeFileSync } from 'node:fs';
import { Session, type Profiler } from 'node:inspector/promises';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { openBench } from './bench.ts';
import { openLab } from './lab.ts';
import { openLedger } from './ledger.ts';
import { readOptions } from './options.ts';
import { costText } from './row.ts';

// Where the time goes when small reports are taken in, on the client and on the server: for tuning, with no targets.
// Usage: node scripts/node24.js bench/profile.ts [--quick] [--seed N]

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PROFILE = fileURLToPath(new URL('results/take-in.cpuprofile', import.meta.url));
const TOP = 15;
const SETTINGS = {
  shared_preload_libraries: 'pg_stat_statements',
  'pg_stat_statements.track_planning': 'on',
  'pg_stat_statements.track': 'all',
};
const LOADS = { 'one report a transaction': { deliveries: 1, bytes: Infinity }, 'the default load': undefined };

const lab = await openLab(SETTINGS);
try {
  const bench = openBench(lab, readOptions(process.argv.slice(2)), console.log);
  const { files, totals } = await bench.set('small');
  for (const [name, load] of Object.entries(LOADS)) {
    for (const isWarm of [false, true]) {
      const ledger = await openLedger(lab);
      await ledger.receive(files);
      const admin = new pg.Client(ledger.url);
      await admin.connect();
      await admin.query('create extension if not exists pg_stat_statements; select pg_stat_statements_reset()');
      const session = new Session();
      session.connect();
      await session.post('Profiler.enable');
      await session.post('Profiler.setSamplingInterval', { interval: 200 });
      await session.post('Profiler.start');
      const cost = await ledger.takeIn(load);
      const { profile } = await session.post('Profiler.stop');
      if (isWarm) {
        console.log(
          `\n${name}: ${costText(cost, { unit: 'report', count: totals.reports })}, ${cost.wall.toFixed(2)} s by the ` +
            `clock\n`,
        );
        printClient(profile, totals.reports);
        await printServer(admin, totals.reports);
        mkdirSync(fileURLToPath(new URL('results', import.meta.url)), { recursive: true });
        writeFileSync(PROFILE, JSON.stringify(profile));
      }
      session.disconnect();
      await admin.end();
      await ledger.close();
    }
  }
} finally {
  await lab.close();
}

/** Functions by their own time; what only waits is left out. */
function printClient({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile, reports: number): void {
  const own = new Map<number, number>();
  samples.forEach((id, i) => own.set(id, (own.get(id) ?? 0) + timeDeltas[i]!));
  const byFunction = new Map<string, number>();
  const byFile = new Map<string, number>();
  for (const {
    id,
    callFrame: { functionName, url, lineNumber },
  } of nodes) {
    const file = url.startsWith('file:') ? relative(ROOT, fileURLToPath(url)) : url || '(native)';
    if (functionName === '(idle)') continue;
    const place = `${functionName || '(anonymous)'} ${file}:${lineNumber + 1}`;
    byFunction.set(place, (byFunction.get(place) ?? 0) + (own.get(id) ?? 0));
    const group = file.replace(/^node_modules\/((?:@[^/]+\/)?[^/]+)\/.*/, '$1');
    byFile.set(
      group === '(native)' ? functionName : group,
      (byFile.get(group === '(native)' ? functionName : group) ?? 0) + (own.get(id) ?? 0),
    );
  }
  for (const [title, sums] of [
    ['functions', byFunction],
    ['files', byFile],
  ] as const) {
    console.log(`client, µs/report by ${title}`);
    for (const [place, micros] of [...sums].toSorted((a, b) => b[1] - a[1]).slice(0, TOP))
      console.log(`${(micros / reports).toFixed(1).padStart(8)}  ${place}`);
  }
}

/** Statements by their time on the server; that of a COPY holds the time it waits for the client. */
async function printServer(admin: pg.Client, reports: number): Promise<void> {
  const { rows } = await admin.query<{ calls: string; plan: number; exec: number; query: string }>(`
    select calls, total_plan_time as plan, total_exec_time as exec, regexp_replace(query, '\\s+', ' ', 'g') as query
    from pg_stat_statements s join pg_database d on d.oid = s.dbid
    where d.datname = current_database() and query not like '%pg_stat_statements%'
      order by total_plan_time + total_exec_time desc limit ${TOP}`);
  console.log('server, µs/report: plan + execute, calls');
  for (const { calls, plan, exec, query } of rows) {
    const micros = (ms: number) => ((ms * 1000) / reports).toFixed(1).padStart(8);
    console.log(`${micros(plan)} ${micros(exec)} ${calls.padStart(6)}  ${query.trim().slice(0, 110)}`);
  }
}
