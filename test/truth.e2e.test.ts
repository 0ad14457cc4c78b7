import { mkdirSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { createKey, createOrganization } from '@dmarc-ledger/ledger';
import { startApi } from '@dmarc-ledger/api-service';
import { openLogger } from '@dmarc-ledger/runtime';
import { cloneDatabase } from '@dmarc-ledger/testkit';
import { Random, testSeed } from '@dmarc-ledger/testkit/random';
import { expect, it } from 'vitest';
import { openCommandHost, runCommand } from './support/command.ts';
import { temporaryFolder } from './support/folder.ts';
import { hasReferenceCorpus, makeReferenceCorpus } from './support/reference-corpus.ts';
import { makeCorpus, writeCorpus } from './support/synthetic.ts';
import { reportedTotals } from './support/reported-totals.ts';
import { sumUp, type TrueReport } from './support/truth.ts';

const seed = testSeed();

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

const makers: [string, (place: string) => Made][] = [['our own maker', makeHere]];
if (hasReferenceCorpus) makers.push(['another maker', makeElsewhere]);

it.each(makers)(
  `returns the figures in the reports of %s, in any order, twice, through two processes at once (seed ${seed})`,
  async (_, make) => {
    using folder = temporaryFolder();
    using host = openCommandHost();
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
    expect(await reportedTotals(api.url, key)).toEqual(sumUp(reports));
    for (const domain of new Set(reports.map((report) => report.domain))) {
      const own = reports.filter((report) => report.domain === domain);
      expect(await reportedTotals(api.url, key, domain)).toEqual(sumUp(own));
    }
    await api.close();
    const { code, stdout } = await host.run(['audit', '--json'], env);
    expect(JSON.parse(stdout)).toMatchObject([{ name: 'Truth', judged: { records: [] }, drift: 0 }]);
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
    const files: Files = JSON.parse(stdout);
    sums.received += files.received;
    sums.stored += files.stored;
    sums.duplicates += files.duplicates;
    sums.refused += files.refused;
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
  const { reports, duplicates, broken } = makeReferenceCorpus(1_500, seed, all);
  const random = new Random(seed);
  const folders = ['one', 'two'].map((name) => join(place, name));
  for (const folder of folders) mkdirSync(folder);
  const found = readdirSync(all, { recursive: true, encoding: 'utf8' }).filter((name) => name.includes('/'));
  for (const [position, name] of random.shuffled(found).entries())
    renameSync(join(all, name), join(random.pick(folders), `${position}-${name.split('/')[1]}`));
  return { folders, reports, files: { received: found.length, stored: reports.length, duplicates, refused: broken } };
}
