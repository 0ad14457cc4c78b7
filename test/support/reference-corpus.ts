import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { notHere, outside } from '@dmarc-ledger/testkit/outside-corpus';
import type { TrueReport } from './truth.ts';

const generator = fileURLToPath(new URL('make_reports.py', outside));

/** Whether the reference generator is on this machine. */
export const hasReferenceCorpus = existsSync(generator) || notHere('the maker of reports', outside) !== null;

/** What the reference generator made, in folders of folders, and what it knows of it. */
export interface ReferenceCorpus {
  reports: TrueReport[];
  duplicates: number;
  broken: number;
}

/** Has it make so many reports in a folder. */
export function makeReferenceCorpus(count: number, seed: number, folder: string): ReferenceCorpus {
  const truth = `${folder}.ndjson`;
  const endDate = new Date(Date.now() - 3 * 86_400_000).toISOString().slice(0, 10);
  const kinds = '--duplicates .05 --broken .02 --quirks .2 --odd-windows .1 --midnight-ends'.split(' ');
  const sizes = ['--reports', String(count), '--ips', '300', '--seed', String(seed), '--end-date', endDate];
  const made = spawnSync('python3', [generator, ...sizes, ...kinds, '--out', folder, '--truth-reports', truth]);
  if (made.status !== 0) throw new Error(made.stderr.toString());
  const { duplicates, broken } = JSON.parse(readFileSync(`${folder}.truth.json`, 'utf8')).files;
  return { duplicates, broken, reports: readFileSync(truth, 'utf8').trim().split('\n').map(readTrueReport) };
}

type Line = {
  report_id: string;
  domain: string;
  begin: number;
  end: number;
  rows: [string, number, string, string, string][];
};

function readTrueReport(line: string): TrueReport {
  const { report_id: reportId, domain, begin, end, rows } = JSON.parse(line) as Line;
  const records = rows.map(([ip, count, , dkim, spf]) => ({ ip, count, dkim: dkim === 'pass', spf: spf === 'pass' }));
  return { reportId, domain, begin, end, records };
}
