import { findDrift } from '@dmarc-ledger/ledger';
import type { Bench } from '../bench.ts';
import type { Cost } from '../cpu.ts';
import { startIngester, untilTakenIn, type Ingester } from '../ingester.ts';
import { expectTotals, openLedger, type Ledger } from '../ledger.ts';
import { compare } from '../rounds.ts';
import { digits, type Row } from '../row.ts';

const AT_LEAST = 1.35;
/** Reports that a new process is given first, on a ledger of their own. */
const WARM_UP = 400;

/** The speed-up of two ingesters over one on a backlog of one organization, by wall-clock time. */
export async function ingesters(bench: Bench): Promise<Row[]> {
  const side = (count: 1 | 2) => async (): Promise<Cost> => {
    const wall = await timeOf(bench, count);
    return { client: wall, server: 0, wall };
  };
  const { a: one, b: two, ratio } = await compare(bench.options.rounds, side(1), side(2));
  const { reports } = (await bench.set('many')).totals;
  const rate = ({ wall }: Cost) => `${digits(reports / wall)} reports/s`;
  return [
    {
      name: 'two ingesters',
      detail: `${rate(two)}; one ${rate(one)}`,
      unit: '×',
      measured: ratio,
      target: { atLeast: AT_LEAST },
    },
  ];
}

async function timeOf({ lab, ...bench }: Bench, count: number): Promise<number> {
  const set = await bench.set('many');
  const [ledger, warmUp] = [await openLedger(lab), await openLedger(lab)];
  const children = Array.from({ length: count }, () => startIngester());
  try {
    await ledger.receive(set.files);
    await warmUp.receive(set.files.slice(0, WARM_UP));
    await Promise.all(children.map((child) => child.send({ do: 'open', url: warmUp.url, blobsUrl: warmUp.blobsUrl })));
    await takeInBy(children, warmUp);
    await Promise.all(children.map((child) => child.send({ do: 'end' })));
    await Promise.all(children.map((child) => child.send({ do: 'open', url: ledger.url, blobsUrl: ledger.blobsUrl })));
    await lab.checkpoint();
    const wall = await takeInBy(children, ledger);
    await Promise.all(children.map((child) => child.send({ do: 'end' })));
    expectTotals(`${count} ingesters`, set.totals, await ledger.totals());
    const drift = (await findDrift(ledger.database, ledger.orgId)).filter(({ rows }) => rows > 0);
    if (drift.length > 0) throw new Error(`${count} ingesters: rollups drifted: ${JSON.stringify(drift)}`);
    return wall;
  } finally {
    for (const child of children) await child.stop();
    await ledger.close();
    await warmUp.close();
  }
}

/** Lets the ingesters begin together; returns the seconds until all is done. */
async function takeInBy(children: readonly Ingester[], ledger: Ledger): Promise<number> {
  const begin = performance.now();
  await Promise.all(children.map((child) => child.send({ do: 'intake' })));
  await untilTakenIn(ledger, children);
  return (performance.now() - begin) / 1000;
}
