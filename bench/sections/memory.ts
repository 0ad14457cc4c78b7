import type { Bench } from '../bench.ts';
import { startIngester, untilTakenIn } from '../ingester.ts';
import { expectTotals, openLedger } from '../ledger.ts';
import { digits, type Row } from '../row.ts';

const AT_MOST_MIB = 256;
const MIB = 1024 ** 2;

/** The most memory that an ingester takes, above what it has when idle, for one report of a million records. Once. */
export async function memory({ lab, ...bench }: Bench): Promise<Row[]> {
  const set = await bench.set('million');
  const ledger = await openLedger(lab);
  const child = startIngester();
  try {
    await child.send({ do: 'open', url: ledger.url, blobsUrl: ledger.blobsUrl });
    const { rss: idle } = await child.send({ do: 'intake' });
    const begin = performance.now();
    await child.send({ do: 'receive', orgId: ledger.orgId, file: set.files[0]! });
    await untilTakenIn(ledger, [child]);
    const wall = (performance.now() - begin) / 1000;
    const { peak } = await child.send({ do: 'end' });
    expectTotals('memory', set.totals, await ledger.totals());
    const above = (peak - idle) / MIB;
    const detail =
      `idle ${digits(idle / MIB)}, peak ${digits(peak / MIB)}; ${digits(set.totals.records / wall)} ` +
      `records/s by the clock`;
    return [
      {
        name: `memory, ${set.totals.records.toLocaleString('en-US')} records`,
        detail,
        unit: 'MiB',
        measured: { median: above, min: above, max: above },
        target: { atMost: AT_MOST_MIB },
      },
    ];
  } finally {
    await child.stop();
    await ledger.close();
  }
}
