import { cpus, loadavg } from 'node:os';
import { openBench, type Section } from './bench.ts';
import { openLab } from './lab.ts';
import { readOptions, USUAL, type Options, type SectionName } from './options.ts';
import { keep, readLast, spreadText, tableText, type Result } from './results.ts';
import { verdictOf, type Row } from './row.ts';
import { domains } from './sections/domains.ts';
import { endToEnd } from './sections/end-to-end.ts';
import { enrich } from './sections/enrich.ts';
import { idle } from './sections/idle.ts';
import { ingesters } from './sections/ingesters.ts';
import { judge } from './sections/judge.ts';
import { load } from './sections/load.ts';
import { memory } from './sections/memory.ts';
import { pages } from './sections/pages.ts';
import { parse } from './sections/parse.ts';
import { reads } from './sections/reads.ts';
import { resend } from './sections/resend.ts';
import { silence } from './sections/silence.ts';
import { start } from './sections/start.ts';
import { backlog, store } from './sections/store.ts';

/** What ends a run on the way: the server must not stay behind. */
const ENDS = ['SIGINT', 'SIGTERM', 'uncaughtException'];
const sections: Record<SectionName, Section> = {
  parse,
  endToEnd,
  start,
  idle,
  store,
  backlog,
  resend,
  judge,
  ingesters,
  memory,
  enrich,
  silence,
  domains,
  load,
  pages,
  reads,
};

/** Measures the chosen sections and prints the table; a whole run is kept, and compared with the previous one. */
async function main(options: Options): Promise<void> {
  const began = performance.now();
  const log = (line: string) =>
    console.log(`[${((performance.now() - began) / 1000).toFixed(0).padStart(4)} s] ${line}`);
  const machine = `${cpus().length} × ${cpus()[0]?.model.trim()}, Node.js ${process.version}`;
  log(`seed ${options.seed}, ${options.rounds} rounds; ${machine}; load ${loadText()}`);
  const rows = await measure(options, log);
  const last = readLast();
  const table = tableText(rows, last);
  console.log(`\n${table}`);
  if (last) console.log(`\nThe last kept run: ${last.at}, seed ${last.seed}, ${last.machine}.`);
  log(`done; load ${loadText()}`);
  if (!options.isKept && (options.isQuick || options.only.length < USUAL.length)) return;
  const { seed, rounds } = options;
  const result: Result = {
    at: new Date().toISOString(),
    machine,
    seed,
    rounds,
    rows: rows.map((row) => ({ ...row, reached: verdictOf(row) })),
  };
  keep(result, `${result.at}, seed ${seed}, ${rounds} rounds; ${machine}; load ${loadText()}\n\n${table}`);
}

async function measure(options: Options, log: (line: string) => void): Promise<Row[]> {
  const lab = await openLab();
  let isLeaving = false;
  const leave = (why: unknown) => {
    if (isLeaving) return; // npm passes a signal on that the terminal has sent already
    isLeaving = true;
    console.error(why);
    void lab.close().finally(() => process.exit(1));
  };
  for (const event of ENDS) process.on(event, leave);
  try {
    const bench = openBench(lab, options, log);
    const rows: Row[] = [];
    for (const name of options.only) {
      log(name);
      const found = await sections[name](bench);
      for (const row of found) log(`  ${row.name}: ${spreadText(row)}; ${row.detail}`);
      rows.push(...found);
    }
    return rows;
  } finally {
    for (const event of ENDS) process.off(event, leave);
    await lab.close();
  }
}

function loadText(): string {
  return loadavg()
    .map((load) => load.toFixed(1))
    .join(' ');
}

try {
  await main(readOptions(process.argv.slice(2)));
} catch (error) {
  console.error(error);
  process.exitCode = 1;
}
