import type { Bench } from './bench.ts';
import { openLedger, type Ledger } from './ledger.ts';
import { compare } from './rounds.ts';
import { costText, type Row } from './row.ts';
import type { Cost } from './cpu.ts';
import type { ReportSet } from './corpus.ts';

const AT_MOST = 1.5;

/** What taking in costs on a ledger that holds much, beside an empty one. Each round has reports of its own. */
export async function growth(bench: Bench, full: Ledger): Promise<Row> {
  const inTurn = () => {
    let round = 0;
    return () => bench.set('small', (round += 1));
  };
  const [nextOfFull, nextOfEmpty] = [inTurn(), inTurn()];
  const intoFull = async () => takenIn(bench, full, await nextOfFull());
  const intoEmpty = async () => {
    const set = await nextOfEmpty();
    const ledger = await openLedger(bench.lab);
    try {
      return await takenIn(bench, ledger, set);
    } finally {
      await ledger.close();
    }
  };
  const { a, b, ratio } = await compare(bench.options.rounds, intoFull, intoEmpty);
  const of = { unit: 'report', count: (await bench.set('small', 1)).totals.reports };
  const detail = `${costText(a, of)}; into an empty ledger ${costText(b, of)}`;
  return { name: 'reads growth, small', detail, unit: '×', measured: ratio, target: { atMost: AT_MOST } };
}

async function takenIn({ lab }: Bench, ledger: Ledger, { name, files, totals }: ReportSet): Promise<Cost> {
  const before = await countedOf(ledger);
  await ledger.receive(files);
  await lab.checkpoint();
  const cost = await ledger.takeIn();
  const after = await countedOf(ledger);
  if (after.reports - before.reports !== totals.reports || after.messages - before.messages !== totals.messages)
    throw new Error(`${name}: the totals have grown by other reports than these`);
  return cost;
}

async function countedOf({ database: { db }, orgId }: Ledger): Promise<{ reports: number; messages: number }> {
  const counted = db.selectFrom('org_total').select(['reports', 'messages']).where('org_id', '=', orgId);
  return (await counted.executeTakeFirst()) ?? { reports: 0, messages: 0 };
}
