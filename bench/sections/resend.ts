import { readFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Database } from '@dmarc-ledger/schema';
import type { Bench } from '../bench.ts';
import { addCosts, sumOf, type Cost } from '../cpu.ts';
import type { ReportSet } from '../corpus.ts';
import { openLedger } from '../ledger.ts';
import { middleCost, repeat, spread } from '../rounds.ts';
import { costText, type Row } from '../row.ts';

const AT_MOST = 0.5;
/** All tables but the ledger of deliveries, which records every one. */
const TABLES = `select table_name as name from information_schema.tables where table_schema = 'public'
  and table_type = 'BASE TABLE' and table_name <> 'raw_message' order by 1`;

/**
 * Everything once more in another wrapping: what it costs beside the first time. Nothing may be counted, or even
 * touched.
 */
export async function resend(bench: Bench): Promise<Row[]> {
  const small = await bench.set('small');
  return [
    ...(await resendSets(bench, 'everything', [small, await bench.set('mid'), await bench.set('large')])),
    ...(await resendSets(bench, 'small', [small])),
  ];
}

async function resendSets(bench: Bench, name: string, sets: readonly ReportSet[]): Promise<Row[]> {
  const of = { unit: 'report', count: sets.reduce((sum, { totals }) => sum + totals.reports, 0) };
  const found = await repeat(bench.options.rounds, () => sendTwice(bench, sets));
  const row = (part: string, costOf: (sent: Sent) => Cost, target?: Row['target']): Row => {
    const [first, again] = [found.map(({ first }) => costOf(first)), found.map(({ again }) => costOf(again))];
    return {
      name: `resend ${name}${part}`,
      detail: `${costText(middleCost(again), of)}; first ${costText(middleCost(first), of)}`,
      unit: '×',
      measured: spread(again.map((cost, i) => sumOf(cost) / sumOf(first[i]!))),
      target,
    };
  };
  return [
    row('', ({ received, taken }) => addCosts(received, taken), { atMost: AT_MOST }),
    row(', behind the door', ({ taken }) => taken),
  ];
}

interface Sent {
  received: Cost;
  taken: Cost;
}

async function sendTwice({ lab }: Bench, sets: readonly ReportSet[]): Promise<{ first: Sent; again: Sent }> {
  const ledger = await openLedger(lab);
  try {
    const files = sets.flatMap((set) => set.files);
    const first = { received: await ledger.receive(files), taken: await ledger.takeIn() };
    const before = await fingerprint(ledger.database);
    const wrapped = files.map((file) => gzipSync(gunzipSync(readFileSync(file)), { level: 1 }));
    await lab.checkpoint();
    const again = { received: await ledger.receive(wrapped), taken: await ledger.takeIn() };
    expectAllDuplicate(await statesOf(ledger.database), files.length);
    if ((await fingerprint(ledger.database)) !== before) throw new Error('resend: rows changed that should not have');
    return { first, again };
  } finally {
    await ledger.close();
  }
}

/** A hash over every row: its content, the transaction that wrote it, and its position. */
async function fingerprint({ pool }: Database): Promise<string> {
  const { rows } = await pool.query<{ name: string }>(TABLES);
  const parts: string[] = [];
  for (const { name } of rows) {
    const sum = await pool.query<{ text: string }>(
      `select count(*) || ' ' || coalesce(sum(hashtextextended(t.xmin || ' ' || t.ctid || ' ' || t::text, 0)),
        0) as text from "${name}" t`,
    );
    parts.push(`${name} ${sum.rows[0]!.text}`);
  }
  return parts.join('\n');
}

async function statesOf({ pool }: Database): Promise<Map<string, number>> {
  const { rows } = await pool.query<{ state: string; count: number }>(
    'select state, count(*) as count from raw_message group by state',
  );
  return new Map(rows.map(({ state, count }) => [state, count]));
}

function expectAllDuplicate(states: Map<string, number>, count: number): void {
  if (states.size === 2 && states.get('stored') === count && states.get('duplicate') === count) return;
  throw new Error(`resend: ${JSON.stringify([...states])} instead of ${count} stored and as many duplicate`);
}
