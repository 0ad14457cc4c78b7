import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openBench } from './bench.ts';
import { openIngesting } from './ingested.ts';
import { openLab } from './lab.ts';
import { readOptions } from './options.ts';

// Keeps the plans of the hot statements, as they ran while reports were taken in, each in a file of bench/plans.
// Usage: node scripts/node24.js bench/plans.ts [--quick] [--seed N]

const FOLDER = fileURLToPath(new URL('plans', import.meta.url));
const LOG = { folder: 'plans', file: 'plans.log' };
const SETTINGS = {
  shared_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '1',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_buffers': 'on',
  'auto_explain.log_wal': 'on',
  'auto_explain.log_parameter_max_length': '0',
  logging_collector: 'on',
  log_directory: LOG.folder,
  log_filename: LOG.file,
  log_rotation_size: '0',
};
/** A line with the values of a long list is cut. */
const LONG_LINE = /^(.{240}).+$/gm;
/** The statements, each by a part of its text that no other has. */
const STATEMENTS: { readonly [name: string]: string } = {
  'enter-messages': 'insert into "raw_message"',
  'claim-messages': 'with "picked" as (select "m"."id"',
  'insert-reports': 'insert into report select * from json_populate_recordset',
  'add-to-source-domain-day': 'select $1, r.source_ip, r.day, r.domain_id',
  'add-to-sources': 'with facts as (',
  'add-to-days-and-totals': 'insert into report_count_day as t',
  'finish-messages': 'insert into payload',
  'records-of-reports': 'select * from "report_record" where "org_id" = $1 and "report_id" = any($2::uuid[]) order by',
  'note-sources': 'insert into ip_enrichment (address, is_failing',
  'wait-for-lookups': 'insert into awaited_address (org_id, address, priority)\n      select $1, address, case',
  'insert-passes': 'insert into dkim_pass',
  'newly-known-selectors': 'as has_passed from (',
  'watch-reported': 'insert into event_source as s (org_id, domain_id, source_ip, due_at, since)\n    select distinct',
  'own-figures': 'select a.judged::text as judged',
};

interface Plan {
  milliseconds: number;
  text: string;
}

const lab = await openLab(SETTINGS);
try {
  const bench = openBench(lab, readOptions(process.argv.slice(2)), console.log);
  const { ingest } = await openIngesting(lab, { ENRICHMENT: 'on' });
  for (const name of ['many', 'middle'] as const) await ingest(await bench.set(name));
  const plans = readPlans(readFileSync(join(lab.folder, 'postgres', 'cluster', LOG.folder, LOG.file), 'utf8'));
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER);
  for (const [name, part] of Object.entries(STATEMENTS)) keepMiddle(name, part, plans);
} finally {
  await lab.close();
}

/** The plans in the server's log. */
function readPlans(log: string): Plan[] {
  const entry = /LOG: {2}duration: (?<milliseconds>[\d.]+) ms {2}plan:\n(?<text>(?:\t.*\n)+)/g;
  return [...log.matchAll(entry)].map(({ groups }) => ({
    milliseconds: Number(groups?.['milliseconds']),
    text: (groups?.['text'] ?? '').replace(/^\t/gm, '').replace(LONG_LINE, '$1…'),
  }));
}

/** Keeps the plan of the execution that took the middle time. */
function keepMiddle(name: string, part: string, plans: readonly Plan[]): void {
  const own = plans.filter(({ text }) => text.includes(part)).toSorted((a, b) => a.milliseconds - b.milliseconds);
  const middle = own[own.length >> 1];
  console.log(`${name}: ${own.length} executions of a millisecond or more, ${middle?.milliseconds ?? 'none'} ms`);
  if (!middle) return;
  const head = `The middle of ${own.length} executions of a millisecond or more: ${middle.milliseconds} ms`;
  writeFileSync(join(FOLDER, `${name}.txt`), `${head}\n\n${middle.text}`);
}
