import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, renameSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createKey, createOrganization } from '@dmarc-ledger/db';
import { startApi } from '@dmarc-ledger/api-service';
import { openLogger } from '@dmarc-ledger/runtime';
import { cloneDatabase } from '@dmarc-ledger/testkit';
import { expect, it } from 'vitest';
import { runCommand } from './support/command.ts';
import { temporaryFolder } from './support/folder.ts';
import { Random } from './support/random.ts';
import { makeCorpus, writeCorpus } from './support/synthetic.ts';
import { toldTotals } from './support/told-totals.ts';
import { sumUp, type TrueReport } from './support/truth.ts';

const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);

interface Files {
  received: number;
  stored: number;
  duplicates: number;
  refused: number;
}

/** Reports in two folders, and what is known of them. */
interface Made {
  folders: string[];
  reports: TrueReport[];
  files: Files;
}

const generator = fileURLToPath(new URL('../../shared/corpus/make_reports.py', import.meta.url));
const makers: [string, (place: string) => Made][] = [['our own maker', makeHere]];
if (existsSync(generator)) makers.push(['another maker', makeElsewhere]);

it.each(makers)(
  `tells the figures that are in the reports of %s, in any order, twice over, through two processes at once (seed ${seed})`,
  async (_, make) => {
    using folder = temporaryFolder();
    await using database = await cloneDatabase();
    const { folders, reports, files } = make(folder.path);
    const { id: orgId } = await createOrganization(database.db, { name: 'Truth' });
    const { key } = await createKey(database.db, orgId, { scope: 'read' });
    const env = { DATABASE_URL: database.url, DATA_DIR: join(folder.path, 'data') };
    expect(await ingestAtOnce(folders, env)).toEqual(files);
    expect(await ingestAtOnce(folders, env)).toEqual({
      ...files,
      stored: 0,
      duplicates: files.stored + files.duplicates,
    });

    const log = openLogger({ name: 'truth', level: 'silent' });
    const api = await startApi({ databaseUrl: database.url, host: '127.0.0.1', port: 0, log });
    expect(await toldTotals(api.url, key)).toEqual(sumUp(reports));
    for (const domain of new Set(reports.map((report) => report.domain))) {
      const own = reports.filter((report) => report.domain === domain);
      expect(await toldTotals(api.url, key, domain)).toEqual(sumUp(own));
    }
    await api.close();
    const { code, stdout } = await runCommand(['audit', '--json'], env);
    expect(JSON.parse(stdout)).toMatchObject([{ name: 'Truth', drift: 0 }]);
    expect(code).toBe(0);
  },
);

/** Takes the folders in, a process each, and adds up what they say. */
async function ingestAtOnce(folders: string[], env: { [name: string]: string }): Promise<Files> {
  const sums = { received: 0, stored: 0, duplicates: 0, refused: 0 };
  for (const { stdout, stderr } of await Promise.all(
    folders.map((path) => runCommand(['ingest', path, '--org', 'Truth', '--json'], env)),
  )) {
    if (stderr !== '') throw new Error(stderr);
    const told: Files = JSON.parse(stdout);
    sums.received += told.received;
    sums.stored += told.stored;
    sums.duplicates += told.duplicates;
    sums.refused += told.refused;
  }
  return sums;
}

/** The corpus of our own generator. */
function makeHere(place: string): Made {
  const { reports, files, duplicates, broken } = makeCorpus(300, seed);
  const folders = [join(place, 'one'), join(place, 'two')];
  writeCorpus({ files }, folders, seed);
  return { folders, reports, files: { received: files.length, stored: reports.length, duplicates, refused: broken } };
}

/** The corpus of the reference generator, its files shared out to two folders. */
function makeElsewhere(place: string): Made {
  const all = join(place, 'all');
  const truth = join(place, 'reports.ndjson');
  const endDate = new Date(Date.now() - 3 * 86_400_000).toISOString().slice(0, 10);
  const kinds = '--duplicates .05 --broken .02 --quirks .2 --odd-windows .1 --midnight-ends'.split(' ');
  const sizes = ['--reports', '1500', '--ips', '300', '--seed', String(seed), '--end-date', endDate];
  const made = spawnSync('python3', [generator, ...sizes, ...kinds, '--out', all, '--truth-reports', truth]);
  if (made.status !== 0) throw new Error(made.stderr.toString());
  const random = new Random(seed);
  const folders = ['one', 'two'].map((name) => join(place, name));
  for (const folder of folders) mkdirSync(folder);
  const found = readdirSync(all, { recursive: true, encoding: 'utf8' }).filter((name) => name.includes('/'));
  for (const [position, name] of random.shuffled(found).entries())
    renameSync(join(all, name), join(random.pick(folders), `${position}-${name.split('/')[1]}`));
  const { unique, duplicates, broken } = JSON.parse(readFileSync(`${all}.truth.json`, 'utf8')).files;
  const reports = readFileSync(truth, 'utf8').trim().split('\n').map(readTrueReport);
  return { folders, reports, files: { received: found.length, stored: unique, duplicates, refused: broken } };
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
