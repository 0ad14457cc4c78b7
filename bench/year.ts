import { statfsSync } from 'node:fs';
import { findDrift } from '@dmarc-ledger/ledger';
import { openDatabase } from '@dmarc-ledger/schema';
import { yearRecords, type Bench } from './bench.ts';
import { keepScores, openTakenIn } from './filled.ts';
import { judgeStored } from './judging.ts';
import { expectTotals, totalsOf, type Ledger } from './ledger.ts';
import { multiply, PERIODS } from './multiply.ts';
import { digits } from './row.ts';
import { bytesOf, tableSizes } from './table-sizes.ts';

const MIB = 1024 ** 2;
const TMPFS = 0x01021994;
const BYTES_A_RECORD = 3_000;

/** A ledger of a year, judged: what the product has taken in of one period is repeated for the earlier ones. */
export async function openYear(bench: Bench): Promise<{ ledger: Ledger; records: number; bytes: number }> {
  expectRoom(bench);
  const step = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
    const begun = performance.now();
    const result = await work();
    bench.log(`${what}: ${((performance.now() - begun) / 1_000).toFixed(0)} s`);
    return result;
  };
  const { totals } = await step('generated', () => bench.set('period'));
  const ledger = await step('taken in', () => openTakenIn(bench, 'period'));
  try {
    await step('judged', () => judgeStored(ledger));
    await ledger.database.db.updateTable('domain').set({ monitored: true }).execute();
    await step('repeated', () => multiply(ledger.url, bench.log));
    await step('scores of past days', () => keepScores(ledger));
    const [reports, records] = [totals.reports * PERIODS, totals.records * PERIODS];
    const [messages, compliant] = [totals.messages * PERIODS, totals.compliant * PERIODS];
    await step('audited', () => audit(ledger, { ...totals, reports, records, messages, compliant }, bench.log));
    return { ledger, records, bytes: await showSizes(ledger, bench.log) };
  } catch (error) {
    await ledger.close();
    throw error;
  }
}

/** A disk with space for tables, indexes, log and what sorting needs: in memory they would not be what is measured. */
function expectRoom({ lab: { folder }, options }: Bench): void {
  const { type, bavail, bsize } = statfsSync(folder);
  const needed = yearRecords(options) * BYTES_A_RECORD;
  if (type === TMPFS) throw new Error(`${folder} is in memory: set TMPDIR to a folder on a disk.`);
  if (bavail * bsize < needed)
    throw new Error(`${folder} needs ${digits(needed / 1024 ** 3)} GiB: set TMPDIR to a folder with more space.`);
}

/** Same work or no result: the totals of the set, and no rollup that differs from its records. */
async function audit(ledger: Ledger, expected: Parameters<typeof expectTotals>[1], log: Bench['log']): Promise<void> {
  const database = openDatabase(ledger.url, { statementTimeoutMs: 0 });
  try {
    expectTotals('the year', expected, await totalsOf(database, ledger.orgId));
    const found = await findDrift(database, ledger.orgId);
    const drift = found.filter(({ rows }) => rows > 0);
    if (drift.length > 0) throw new Error(`the year: rollups drifted: ${JSON.stringify(drift)}`);
    log(`audit: ${found.map(({ table }) => table).join(', ')}: no row differs`);
  } finally {
    await database.close();
  }
}

async function showSizes({ database }: Ledger, log: Bench['log']): Promise<number> {
  const sizes = await tableSizes(database);
  const mib = (bytes: number) => `${Math.round(bytes / MIB).toLocaleString('en-US')} MiB`;
  for (const { name, rows, heap, indexes } of sizes)
    log(`  ${name}: ${rows.toLocaleString('en-US')} rows, ${mib(heap)}, indexes ${mib(indexes)}`);
  log(`${mib(bytesOf(sizes))} in all`);
  return bytesOf(sizes);
}
