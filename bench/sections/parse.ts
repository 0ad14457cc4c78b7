import { readFile } from 'node:fs/promises';
import { alignRecord, publicSuffixDomains } from '@dmarc-ledger/dmarc';
import type { Bench } from '../bench.ts';
import { costOf, sumOf, type Cost } from '../cpu.ts';
import type { ReportSet } from '../corpus.ts';
import { openExpatFloor, type ExpatFloor } from '../expat-floor.ts';
import { recordsOf } from '../reading.ts';
import { compare, middleCost, repeat, spread } from '../rounds.ts';
import { digits, type Row } from '../row.ts';

const AT_LEAST = { large: 80_000, small: 40_000 };
const AT_MOST_TIMES_EXPAT = 4;
/** Enough for seconds rather than moments. */
const PASSES = { large: 3, small: 12 };

/** From compressed bytes to aligned records, on one core, in memory, beside the same bytes through expat in C. */
export async function parse(bench: Bench): Promise<Row[]> {
  const expat = await openExpatFloor(bench.lab.folder);
  if (typeof expat === 'string') bench.log(`no comparison with expat: ${expat}`);
  const rows: Row[] = [];
  for (const name of ['large', 'small'] as const) {
    rows.push(...(await parseSet(bench, name, await bench.set(name), typeof expat === 'string' ? undefined : expat)));
  }
  return rows;
}

async function parseSet(
  { lab, options }: Bench,
  name: 'large' | 'small',
  set: ReportSet,
  expat: ExpatFloor | undefined,
): Promise<Row[]> {
  const contents = await Promise.all(set.files.map((file) => readFile(file)));
  const records = set.totals.records * PASSES[name];
  const costs: Cost[] = [];
  const ours = async () => {
    const cost = await costOf(lab.serverPid, async () => {
      for (let pass = 0; pass < PASSES[name]; pass += 1) await readAll(contents, set);
    });
    costs.push({ ...cost, server: 0 });
    return costs.at(-1)!;
  };
  const comparison = expat && (await compare(options.rounds, ours, () => expat(set, PASSES[name])));
  if (!comparison) await repeat(options.rounds, ours);
  const counted = costs.slice(1);
  const rates = spread(counted.map((cost) => records / sumOf(cost)));
  const each = (cost: Cost) => `${digits((sumOf(cost) * 1e6) / records)} µs/record`;
  const rate: Row = {
    name: `parse ${name}`,
    detail: each(middleCost(counted)),
    unit: 'records/s',
    measured: rates,
    target: { atLeast: AT_LEAST[name] },
  };
  if (!comparison) return [rate];
  const { a, b, ratio } = comparison;
  return [
    rate,
    {
      name: `parse ${name} / expat in C`,
      detail: `${each(a)}; floor ${each(b)}`,
      unit: '×',
      measured: ratio,
      target: { atMost: AT_MOST_TIMES_EXPAT },
    },
  ];
}

/** Reads and aligns everything, and sees that it was everything. */
async function readAll(contents: readonly Buffer[], { isLarge, totals }: ReportSet): Promise<void> {
  const organizationalDomain = publicSuffixDomains();
  let [records, messages, aligned] = [0, 0, 0];
  for (const content of contents) {
    for await (const batch of recordsOf(content, isLarge)) {
      for (const record of batch.records) {
        const { dkim, spf } = alignRecord(record, batch.policy, organizationalDomain);
        if (dkim?.[0] || spf?.[0]) aligned += 1;
        records += 1;
        messages += record.count;
      }
    }
  }
  if (records !== totals.records || messages !== totals.messages || aligned === 0) {
    throw new Error(
      `parse: ${records} records and ${messages} messages instead of ${totals.records} and ${totals.messages}`,
    );
  }
}
