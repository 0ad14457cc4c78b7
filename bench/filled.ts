import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { createKey, setOrganization, setPlan } from '@dmarc-ledger/ledger';
import type { Bench, SetName } from './bench.ts';
import { expectTotals, openLedger, type Ledger } from './ledger.ts';
import { PROGRAM } from './served.ts';

/** A ledger of a million records, or of another set, whose domains are monitored and whose past scores are kept. */
export async function openFilled(bench: Bench, name: SetName = 'load'): Promise<Ledger> {
  const ledger = await openTakenIn(bench, name);
  await ledger.database.db.updateTable('domain').set({ monitored: true }).execute();
  await ledger.database.pool.query('analyze');
  await keepScores(ledger);
  return ledger;
}

/** A set that is stored and waits to be judged. */
export async function openTakenIn(bench: Bench, name: SetName): Promise<Ledger> {
  const set = await bench.set(name);
  const ledger = await openLedger(bench.lab);
  await ledger.receive(set.files);
  await ledger.takeIn();
  expectTotals(name, set.totals, await ledger.totals());
  return ledger;
}

/** The scores of past days, which a worker keeps. */
export async function keepScores({ url: DATABASE_URL }: Ledger): Promise<void> {
  const { PATH = '', HOME = '/' } = process.env;
  const env = { PATH, HOME, DATABASE_URL };
  await promisify(execFile)(process.execPath, [PROGRAM, 'snapshot', 'rebuild'], { env });
}

/** A key whose requests are not limited. */
export async function keyOf({ database, orgId }: Ledger): Promise<string> {
  await setPlan(database, { code: 'load', hourlyQuota: 100_000_000 });
  await setOrganization(database, orgId, { plan: 'load' });
  return (await createKey(database.db, orgId, { scope: 'read' })).key;
}
