import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { createKey, setOrganization, setPlan } from '@dmarc-ledger/ledger';
import type { Bench, SetName } from '../bench.ts';
import { expectTotals, openLedger, type Ledger } from '../ledger.ts';
import { digits, singleRow, type Row } from '../row.ts';
import { ask, get, PROGRAM, quantile, residentMiB, serve, stop, type Served } from '../served.ts';

const CLIENTS = 16;
/** How long many clients, and one client, request each endpoint. */
const SECONDS = Number(process.env['LOAD_SECONDS'] ?? 5);
const ALONE_SECONDS = Math.min(5, SECONDS);
const SWIFT_MS = 10;
const HEAVY_MS = 50;

/** The request of an endpoint, and the longest time of an answer to one client, in milliseconds. */
interface Asked {
  path: string;
  atMost: number;
}

/**
 * How long every endpoint takes on a million records, for one client and for sixteen, and what the process comes to.
 */
export async function load(bench: Bench): Promise<Row[]> {
  const ledger = await openFilled(bench);
  const headers = { authorization: `Bearer ${await keyOf(ledger)}` };
  const served = await serve('api', ledger);
  try {
    const rows: Row[] = [];
    const memory: number[] = [];
    for (const { path, atMost } of await endpoints(ledger, served, headers)) {
      const asked = { path: `/v1${path}`, headers };
      const alone = await ask(served, { ...asked, clients: 1, seconds: ALONE_SECONDS });
      const many = await ask(served, { ...asked, clients: CLIENTS, seconds: SECONDS });
      memory.push(residentMiB(served));
      const detail = `${CLIENTS} clients: ${digits(many.length / SECONDS)}/s, p50 ${at(many, 0.5)}, p99 ${at(many, 0.99)} ms; one: p50 ${at(alone, 0.5)}`;
      rows.push(
        singleRow({ name: path.split('?')[0]!, detail, unit: 'ms', value: quantile(alone, 0.99), target: { atMost } }),
      );
    }
    const detail = `after each endpoint: ${memory.map(Math.round).join(' ')}`;
    return [...rows, singleRow({ name: 'memory of the API', detail, unit: 'MiB', value: Math.max(...memory) })];
  } finally {
    await stop(served);
    await ledger.close();
  }
}

/** A ledger of a million records, or of another set, whose domains are monitored and whose past scores are kept. */
export async function openFilled(bench: Bench, name: SetName = 'load'): Promise<Ledger> {
  const set = await bench.set(name);
  const ledger = await openLedger(bench.lab);
  await ledger.receive(set.files);
  await ledger.takeIn();
  expectTotals(name, set.totals, await ledger.totals());
  await ledger.database.db.updateTable('domain').set({ monitored: true }).execute();
  await ledger.database.pool.query('analyze');
  await keepScores(ledger);
  return ledger;
}

/** The scores of past days, which a worker keeps. */
async function keepScores({ url: DATABASE_URL }: Ledger): Promise<void> {
  const { PATH = '', HOME = '/' } = process.env;
  const env = { PATH, HOME, DATABASE_URL };
  await promisify(execFile)(process.execPath, [PROGRAM, 'snapshot', 'rebuild'], { env });
}

async function keyOf({ database: { db }, orgId }: Ledger): Promise<string> {
  await setPlan(db, { code: 'load', hourlyQuota: 100_000_000 });
  await setOrganization(db, orgId, { plan: 'load' });
  return (await createKey(db, orgId, { scope: 'read' })).key;
}

async function endpoints(
  { database: { db } }: Ledger,
  { url }: Served,
  headers: { authorization: string },
): Promise<Asked[]> {
  const { reports } = JSON.parse((await get(new URL('/v1/reports?limit=1', url), headers)).body) as {
    reports: { id: string; domain: string }[];
  };
  const { id, domain } = reports[0]!;
  const { source_ip: address } = await db
    .selectFrom('source_total')
    .select('source_ip')
    .limit(1)
    .executeTakeFirstOrThrow();
  const swift = ['/reports', '/reports?offset=10000&sort_by=compliance', '/reports?search=mail', '/reports/date-range'];
  const others = [
    `/reports/${id}`,
    '/statistics',
    '/compliance-score',
    '/compliance-score/history?days=365',
    '/trends?days=365',
  ];
  const rest = [
    '/top-sources',
    '/domains',
    '/sources',
    '/sources?search=10.',
    `/sources/${address}`,
    '/events',
    '/api-keys/usage',
    '/enums',
  ];
  return [
    ...[...swift, ...others, ...rest].map((path) => ({ path, atMost: SWIFT_MS })),
    { path: '/dashboard/overview', atMost: HEAVY_MS },
    { path: `/domains/${domain}/health`, atMost: HEAVY_MS },
  ];
}

function at(times: readonly number[], part: number): string {
  return quantile(times, part).toFixed(1);
}
