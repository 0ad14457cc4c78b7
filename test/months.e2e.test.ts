import { join } from 'node:path';
import { startApi } from '@dmarc-ledger/api-service';
import { createKey, createOrganization } from '@dmarc-ledger/ledger';
import { openLogger } from '@dmarc-ledger/runtime';
import { keepMonths } from '@dmarc-ledger/schema';
import { cloneDatabase } from '@dmarc-ledger/testkit';
import { testSeed } from '@dmarc-ledger/testkit/random';
import { expect, it } from 'vitest';
import { temporaryFolder } from './support/folder.ts';
import { reportedTotals } from './support/reported-totals.ts';
import { makeCorpus, writeCorpus } from './support/synthetic.ts';
import { succeed } from './support/succeed.ts';
import { sumUp } from './support/truth.ts';

const seed = testSeed();

it(`has the figures in the reports when it is partitioned by month half-way, and drops empty months (seed ${seed})`, async () => {
  using folder = temporaryFolder();
  await using database = await cloneDatabase();
  const { reports, files } = makeCorpus(40, seed);
  const [first, all] = [join(folder.path, 'first'), join(folder.path, 'all')];
  writeCorpus({ files: files.slice(0, files.length / 2) }, [first], seed);
  writeCorpus({ files }, [all], seed);
  const fixture = { DATABASE_URL: database.url, DATA_DIR: join(folder.path, 'data') };
  const { id } = await createOrganization(database.db, { name: 'Org' });
  const { key } = await createKey(database.db, id, { scope: 'read' });

  await succeed(['ingest', first, '--org', 'Org'], fixture);
  expect(JSON.parse(await succeed(['partition', '--json'], fixture))).toEqual([
    { table: 'stored_record', state: 'partitioned' },
    { table: 'source_domain_day', state: 'partitioned' },
  ]);
  await succeed(['ingest', all, '--org', 'Org'], fixture);
  expect(JSON.parse(await succeed(['partition', '--json'], fixture))).toEqual([
    { table: 'stored_record', state: 'was partitioned' },
    { table: 'source_domain_day', state: 'was partitioned' },
  ]);

  const api = await startApi({ databaseUrl: database.url, host: '127.0.0.1', port: 0, log: silent });
  expect(await reportedTotals(api.url, key)).toEqual(sumUp(reports));
  expect(await drift(fixture)).toBe(0);
  await succeed(['intake', 'rejudge', '--org', 'Org'], fixture);
  expect(await drift(fixture)).toBe(0);
  expect((await keepMonths(database, today)).dropped).toEqual([]);

  await database.pool.query(`update report set received_at = '2020-01-01'`);
  await succeed(['purge', '--older-than', '400'], fixture);
  expect(await reportedTotals(api.url, key)).toEqual(sumUp([]));
  expect((await keepMonths(database, later)).dropped).toContain('stored_record_history');
  await succeed(['intake', 'replay', '--org', 'Org', '--all'], fixture);
  expect(await drift(fixture)).toBe(0);
  await api.close();
});

const silent = openLogger({ name: 'api', level: 'silent' });
const today = new Date().toISOString().slice(0, 10);
const later = new Date(Date.now() + 70 * 86_400_000).toISOString().slice(0, 10);

type Fixture = { DATABASE_URL: string; DATA_DIR: string };

async function drift(fixture: Fixture): Promise<number> {
  const audits: { drift: number }[] = JSON.parse(await succeed(['audit', '--json'], fixture));
  return audits.reduce((sum, one) => sum + one.drift, 0);
}
