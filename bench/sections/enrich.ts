import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { findDrift } from '@dmarc-ledger/ledger';
import { blocklistsFile, reportsOn, startNames, ZONES } from '../address-world.ts';
import type { Bench } from '../bench.ts';
import type { EnricherOrder } from '../enricher-child.ts';
import { openLedger, type Ledger } from '../ledger.ts';
import { digits, type Row } from '../row.ts';

const PROGRAM = fileURLToPath(new URL('../enricher-child.ts', import.meta.url));
const ADDRESSES = { full: 200_000, quick: 10_000 };
const AT_LEAST = 500;
const MIB = 1024 ** 2;

interface Memory {
  rss: number;
  peak: number;
  cpu: { user: number; system: number };
}

/** Looks up many new addresses, each once, and judges their mail. Measured once, by wall-clock time. */
export async function enrich({ lab, options, log }: Bench): Promise<Row[]> {
  const count = ADDRESSES[options.isQuick ? 'quick' : 'full'];
  const [ledger, names] = [await openLedger(lab), await startNames(count)];
  try {
    await ledger.receive(reportsOn(count, options.seed));
    await ledger.takeIn();
    await lab.checkpoint();
    const order = {
      url: ledger.url,
      blobsUrl: ledger.blobsUrl,
      dns: names,
      blocklists: blocklistsFile(),
      concurrency: 2,
      lookups: true,
    };
    const before = await names.counts();
    const { seconds, memory } = await lookedUp(ledger, order, count, log);
    const after = await names.counts();
    const asked = (type: string) => (after[type] ?? 0) - (before[type] ?? 0);
    const ofLists = await Promise.all(ZONES.map((zone) => names.countOf(zone)));
    log(
      `  asked: ${asked('PTR')} PTR, of the lists ${ofLists.join(', ')};
        ${(await names.countOf('hosts.test')).toString()} names`,
    );
    if (asked('PTR') !== count) throw new Error(`${asked('PTR')} PTR queries for ${count} addresses`);
    const drift = (await findDrift(ledger.database, ledger.orgId)).filter(({ rows }) => rows > 0);
    if (drift.length > 0) throw new Error(`rollups drifted: ${JSON.stringify(drift)}`);
    const rate = count / seconds;
    const cpu = (memory.cpu.user + memory.cpu.system) / count;
    return [
      {
        name: `enrich ${count.toLocaleString('en-US')}`,
        detail:
          `${digits(seconds)} s with its judgement; ${digits(cpu)} µs/address of the worker, which took ` +
          `${digits(memory.peak / MIB)} MiB at most`,
        unit: 'addresses/s',
        measured: { median: rate, min: rate, max: rate },
        target: { atLeast: AT_LEAST },
      },
    ];
  } finally {
    await names[Symbol.asyncDispose]();
    await ledger.close();
  }
}

async function lookedUp(
  { database }: Ledger,
  order: EnricherOrder,
  count: number,
  log: (line: string) => void,
): Promise<{ seconds: number; memory: Memory }> {
  const child = fork(PROGRAM, [JSON.stringify(order)], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const waiting = `select (select count(*) from ip_enrichment where enriched_at is not null) as known,
    (select count(*) from unjudged_source) + (select count(*) from unjudged_report) as unjudged,
    (select count(*) from ip_enrichment where planned) as in_hand`;
  const begin = performance.now();
  for (let logged = 0; ;) {
    const [row] = (await database.pool.query<{ known: number; unjudged: number; in_hand: number }>(waiting)).rows;
    if (row!.known >= count && row!.unjudged === 0) break;
    if (child.exitCode !== null) throw new Error(`the worker ended with ${child.exitCode}`);
    if (performance.now() - logged > 15_000)
      log(`  ${row!.known} known, ${row!.in_hand} in progress, ${row!.unjudged} to be judged`);
    if (performance.now() - logged > 15_000) logged = performance.now();
    await sleep(250);
  }
  const seconds = (performance.now() - begin) / 1_000;
  child.send('memory');
  const [memory] = (await once(child, 'message')) as [Memory];
  child.disconnect();
  await once(child, 'exit');
  return { seconds, memory };
}
