import { fork } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { findSources } from '@dmarc-ledger/queries';
import { blocklistsFile } from '../address-world.ts';
import type { Bench } from '../bench.ts';
import type { Cost } from '../cpu.ts';
import type { EnricherOrder } from '../enricher-child.ts';
import { expectTotals, openLedger } from '../ledger.ts';
import { compare } from '../rounds.ts';
import { digits, type Row } from '../row.ts';

const PROGRAM = fileURLToPath(new URL('../enricher-child.ts', import.meta.url));
const AT_MOST = 1.05;

/**
 * The cost of intake beside a worker whose lookups no name server answers, against one without lookups. Measured by
 * wall-clock time: the two run in turn, each on its own ledger.
 */
export async function silence(bench: Bench): Promise<Row[]> {
  const hole = createSocket('udp4').bind(0, '127.0.0.1');
  await once(hole, 'listening');
  const reads: { [kind: string]: number[] } = { on: [], off: [] };
  const most = { planned: 0 };
  const side = (lookups: boolean) => async (): Promise<Cost> => {
    const { wall, read, planned } = await timeOf(bench, lookups, hole.address().port);
    reads[lookups ? 'on' : 'off']!.push(read);
    most.planned = Math.max(most.planned, planned);
    return { client: wall, server: 0, wall };
  };
  try {
    const { a, b, ratio } = await compare(bench.options.rounds, side(true), side(false));
    const { reports } = (await bench.set('many')).totals;
    const rate = ({ wall }: Cost) => `${digits(reports / wall)} reports/s`;
    const middle = (values: number[]) => values.toSorted((x, y) => x - y)[values.length >> 1]!.toFixed(1);
    const pages = `a page of sources ${middle(reads['on']!)} and ${middle(reads['off']!)} ms`;
    const detail = `${rate(a)}; without lookups ${rate(b)}; ${pages}; at most ${most.planned} in progress`;
    return [{ name: 'intake in silence', detail, unit: '×', measured: ratio, target: { atMost: AT_MOST } }];
  } finally {
    hole.close();
  }
}

/** Seconds until all is stored, milliseconds of a page of sources meanwhile, and the most addresses in progress. */
async function timeOf({ lab, ...bench }: Bench, lookups: boolean, port: number) {
  const set = await bench.set('many');
  const ledger = await openLedger(lab);
  const order: EnricherOrder = {
    url: ledger.url,
    blobsUrl: ledger.blobsUrl,
    dns: { address: '127.0.0.1', port },
    blocklists: blocklistsFile(),
    concurrency: 2,
    lookups,
  };
  const child = fork(PROGRAM, [JSON.stringify(order)], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  try {
    child.send('is it there?');
    await once(child, 'message');
    await ledger.receive(set.files);
    await lab.checkpoint();
    const ending = new AbortController();
    const watching = watch(ledger, ending.signal);
    const { wall } = await ledger.takeIn();
    ending.abort();
    expectTotals('silence', set.totals, await ledger.totals());
    return { wall, ...(await watching) };
  } finally {
    child.disconnect();
    await once(child, 'exit');
    await ledger.close();
  }
}

async function watch({ database, orgId }: Awaited<ReturnType<typeof openLedger>>, signal: AbortSignal) {
  const times: number[] = [];
  let planned = 0;
  while (!signal.aborted) {
    const begin = performance.now();
    await findSources(database.db, orgId, {}, { sortBy: 'total_messages', direction: 'desc', limit: 50, offset: 0 });
    times.push(performance.now() - begin);
    const { rows } = await database.pool.query<{ n: number }>('select count(*) as n from ip_enrichment where planned');
    planned = Math.max(planned, rows[0]!.n);
    await sleep(100);
  }
  return { read: times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0, planned };
}
