import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { cloneDatabase } from '@dmarc-ledger/testkit';
import { testSeed } from '@dmarc-ledger/testkit/random';
import { sql } from 'kysely';
import { expect, it, vi } from 'vitest';
import { runCommand, startCommand } from './support/command.ts';
import { temporaryFolder } from './support/folder.ts';
import { jsonOf } from './support/json-of.ts';
import { ownPostgres } from './support/own-postgres.ts';
import { makeCorpus, writeCorpus } from './support/synthetic.ts';

const seed = testSeed();

it(`ingest goes on after PostgreSQL was killed and started again (seed ${seed})`, async () => {
  using folder = temporaryFolder();
  await using postgres = await ownPostgres();
  const env = { DATABASE_URL: postgres.url, DATA_DIR: join(folder.path, 'data'), LOG_LEVEL: 'error' };
  const { id: org } = await jsonOf(runCommand(['org', 'create', 'Firm', '--json'], env));
  const corpus = makeCorpus(200, seed);
  const reports = join(folder.path, 'reports');
  writeCorpus(corpus, [reports], seed);

  const child = startCommand(['ingest', reports, '--org', org, '--json'], env);
  const [written, errors, exited] = [text(child.stdout!), text(child.stderr!), once(child, 'exit')];
  // they are received in one transaction
  await vi.waitFor(
    async () => {
      const { rows } = await sql`select from raw_message limit 1`.execute(postgres.db);
      expect(rows).toHaveLength(1);
    },
    { timeout: 60_000, interval: 5 },
  );
  await postgres.crash(4_000);
  await exited;

  expect(await errors).not.toMatch(/^\s+at /m);
  expect(JSON.parse(await written)).toMatchObject({
    received: corpus.files.length,
    reports: corpus.reports.length,
    refused: corpus.broken,
  });
  const [audited] = await jsonOf(runCommand(['audit', '--json'], env));
  expect(audited).toMatchObject({ drift: 0, raw: { missing: 0 } });
});

it('a command says in one sentence that the database has ended its connection', async () => {
  using folder = temporaryFolder();
  await using database = await cloneDatabase();
  const env = { DATABASE_URL: database.url, DATA_DIR: join(folder.path, 'data') };
  await runCommand(['org', 'create', 'Firm'], env);
  await database.db.transaction().execute(async (lock) => {
    await sql`lock table report in access exclusive mode`.execute(lock);
    const audit = runCommand(['audit'], env);
    await vi.waitFor(
      async () => {
        const ended = await sql`
          select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'
        `.execute(database.db);
        expect(ended.rows).toHaveLength(1);
      },
      { timeout: 60_000 },
    );
    expect(await audit).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /^dmarc-ledger: The database failed: .+ Run the command again once it answers.+\n$/,
      ),
    });
  });
});
