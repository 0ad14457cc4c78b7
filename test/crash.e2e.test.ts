import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Random, testSeed } from '@dmarc-ledger/testkit/random';
import { expect, it } from 'vitest';
import { openCommandHost } from './support/command.ts';
import { temporaryFolder } from './support/folder.ts';
import { launchInstance, startInstance } from './support/instance.ts';
import { makeCorpus, writeCorpus } from './support/synthetic.ts';
import { reportedTotals } from './support/reported-totals.ts';
import { sumUp } from './support/truth.ts';

// For a longer run by hand: CRASH_ROUNDS=30 CRASH_REPORTS=3000 npm run soak -- test/crash
const { CRASH_ROUNDS = '5', CRASH_REPORTS = '300' } = process.env;
const [rounds, reports, seed] = [Number(CRASH_ROUNDS), Number(CRASH_REPORTS), testSeed()];

/** How long an undisturbed start takes at first; then as long as the last one did. */
const FIRST_GUESS_MS = 4_000;
const LIMIT_MS = 120_000 + rounds * 60_000;

it(`counts every message once, killed ${rounds} times at random (seed ${seed})`, { timeout: LIMIT_MS }, async () => {
  using folder = temporaryFolder();
  using host = openCommandHost();
  const random = new Random(seed);
  const corpus = makeCorpus(reports, seed);
  const dataDir = join(folder.path, 'data');
  const folders = Array.from({ length: rounds }, (_, i) => join(folder.path, `reports ${i}`));
  writeCorpus(corpus, folders, seed);

  let usual = FIRST_GUESS_MS;
  for (let round = 1; round <= rounds; round += 1) {
    const begun = Date.now();
    const instance = launchInstance(dataDir, folders.slice(0, round));
    const isReady = instance.ready.then(() => true);
    if (await Promise.race([isReady, sleep(random.next() * usual)])) usual = Date.now() - begun;
    await instance.end('SIGKILL');
    if (random.chance(0.5)) killDatabase(dataDir);
  }

  const instance = await startInstance(dataDir, folders);
  expect(instance.output).toContain(`deliveries: ${corpus.files.length} received`);
  const setAside = await host.run(['intake', 'list', '--state', 'quarantined', '--json'], { DATA_DIR: dataDir });
  expect(JSON.parse(setAside.stdout)).toEqual([]);
  expect(await reportedTotals(instance.apiUrl, instance.key)).toEqual(sumUp(corpus.reports));
  expect(await instance.end('SIGTERM')).toBe(0);
  const audited = await host.run(['audit', '--json'], { DATA_DIR: dataDir });
  expect(JSON.parse(audited.stdout)).toMatchObject([{ drift: 0, raw: { missing: 0 } }]);
  expect(audited.code).toBe(0);
});

/** The server of this data folder goes down with the rest, as when the machine does. */
function killDatabase(dataDir: string): void {
  try {
    const [pid] = readFileSync(join(dataDir, 'postgres', 'cluster', 'postmaster.pid'), 'utf8').split('\n');
    process.kill(Number(pid), 'SIGKILL');
  } catch {
    // it was not running yet
  }
}
