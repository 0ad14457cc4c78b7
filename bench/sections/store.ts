import type { Bench, SetName } from '../bench.ts';
import type { Cost } from '../cpu.ts';
import { floorCost, type Load } from '../floor.ts';
import { expectTotals, openLedger } from '../ledger.ts';
import { compare, middleCost, spread } from '../rounds.ts';
import { costText, ratioRow, type Row } from '../row.ts';

const ONE = { deliveries: 1, bytes: Infinity };
/** What an ingester stores in one transaction when there is a backlog: the product's own default. */
export const BACKLOG = { deliveries: 50, bytes: 4 * 1024 ** 2 };

const AT_MOST = { small: 3.5, mid: 4, large: 4 };
const AT_MOST_BACKLOG = 4.5;

/** Taking in with every rollup, one report a transaction, beside COPY of the same records into one bare table. */
export async function store(bench: Bench): Promise<Row[]> {
  const rows: Row[] = [];
  for (const name of ['small', 'mid', 'large'] as const)
    rows.push(...(await storeSet(bench, name, 'store', ONE, AT_MOST[name])));
  return rows;
}

/** The same with batches of reports. A large report has a transaction of its own in any case. */
export async function backlog(bench: Bench): Promise<Row[]> {
  const rows: Row[] = [];
  for (const name of ['small', 'mid'] as const)
    rows.push(...(await storeSet(bench, name, 'backlog', BACKLOG, AT_MOST_BACKLOG)));
  return rows;
}

async function storeSet(
  { lab, options, ...bench }: Bench,
  name: SetName,
  what: string,
  load: Load,
  atMost: number,
): Promise<Row[]> {
  const set = await bench.set(name);
  const received: Cost[] = [];
  const product = async () => {
    const ledger = await openLedger(lab);
    try {
      received.push(await ledger.receive(set.files));
      await lab.checkpoint();
      const cost = await ledger.takeIn(load === BACKLOG ? undefined : load);
      expectTotals(`${what} ${name}`, set.totals, await ledger.totals());
      return cost;
    } finally {
      await ledger.close();
    }
  };
  const floor = () => floorCost(lab, set, load, (found) => expectTotals(`floor of ${what} ${name}`, set.totals, found));
  const comparison = await compare(options.rounds, product, floor);
  const of =
    name === 'small'
      ? { unit: 'report' as const, count: set.totals.reports }
      : { unit: 'record' as const, count: set.totals.records };
  const row = ratioRow(`${what} ${name}`, comparison, of, atMost);
  return what === 'store' ? [row, receiveRow(name, received.slice(1), set.totals.reports)] : [row];
}

/** What it costs to make deliveries durable before anything is taken in. */
function receiveRow(name: string, costs: Cost[], count: number): Row {
  const of = { unit: 'report', count };
  const measured = spread(costs.map(({ client, server }) => ((client + server) * 1e6) / count));
  return { name: `receive ${name}`, detail: costText(middleCost(costs), of), unit: 'µs/report', measured };
}
