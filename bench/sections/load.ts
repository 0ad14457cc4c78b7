import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createKey, setOrganization, setPlan } from '@dmarc-ledger/ledger';
import type { Bench } from '../bench.ts';
import { expectTotals, openLedger, type Ledger } from '../ledger.ts';
import { digits, type Row } from '../row.ts';

const PROGRAM = fileURLToPath(new URL('../../bin/dmarc-ledger.js', import.meta.url));
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

interface Served {
  child: ChildProcess;
  url: URL;
  key: string;
}

/**
 * How long every endpoint takes on a million records, for one client and for sixteen, and what the process comes to.
 */
export async function load(bench: Bench): Promise<Row[]> {
  const set = await bench.set('load');
  const ledger = await openLedger(bench.lab);
  await ledger.receive(set.files);
  await ledger.takeIn();
  expectTotals('load', set.totals, await ledger.totals());
  await ledger.database.pool.query('analyze');
  await keepScores(ledger);
  const served = await serve(ledger);
  try {
    const rows: Row[] = [];
    const memory: number[] = [];
    for (const asked of await endpoints(ledger, served)) {
      const alone = await ask(served, asked.path, 1, ALONE_SECONDS);
      const many = await ask(served, asked.path, CLIENTS, SECONDS);
      memory.push(residentMiB(served.child));
      const detail = `${CLIENTS} clients: ${digits(many.length / SECONDS)}/s, p50 ${at(many, 0.5)}, p99 ${at(many, 0.99)} ms; one: p50 ${at(alone, 0.5)}`;
      rows.push(row(asked.path.split('?')[0]!, detail, 'ms', quantile(alone, 0.99), { atMost: asked.atMost }));
    }
    const detail = `after each endpoint: ${memory.map(Math.round).join(' ')}`;
    return [...rows, row('memory of the API', detail, 'MiB', Math.max(...memory))];
  } finally {
    served.child.kill('SIGTERM');
    await once(served.child, 'exit');
    await ledger.close();
  }
}

/** The scores of past days, which a worker keeps. */
async function keepScores({ url: DATABASE_URL }: Ledger): Promise<void> {
  const { PATH = '', HOME = '/' } = process.env;
  const env = { PATH, HOME, DATABASE_URL };
  await promisify(execFile)(process.execPath, [PROGRAM, 'snapshot', 'rebuild'], { env });
}

async function serve({ url: databaseUrl, database: { db }, orgId }: Ledger): Promise<Served> {
  await setPlan(db, { code: 'load', hourlyQuota: 100_000_000 });
  await setOrganization(db, orgId, { plan: 'load' });
  const { key } = await createKey(db, orgId, { scope: 'read' });
  const { PATH = '', HOME = '/' } = process.env;
  const env = { PATH, HOME, DATABASE_URL: databaseUrl, PORT: '0', ADMIN_PORT: '0', ABUSE_LIMIT_PER_MINUTE: '1000000' };
  const child = spawn(process.execPath, [PROGRAM, 'serve', 'api'], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  for await (const line of createInterface({ input: child.stderr })) {
    if (!line.includes('"service.ready"')) continue;
    child.stderr.resume();
    return { child, url: new URL((JSON.parse(line) as { address: string }).address), key };
  }
  throw new Error('load: the API did not start');
}

async function endpoints({ database: { db } }: Ledger, served: Served): Promise<Asked[]> {
  const { reports } = JSON.parse((await get(served, '/reports?limit=1', new Agent())).body) as {
    reports: { id: string; domain: string }[];
  };
  const { id, domain } = reports[0]!;
  await db.updateTable('domain').set({ monitored: true }).execute();
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

/** Milliseconds of every answer, in order of time; any that is no 200 ends the run. */
async function ask(served: Served, path: string, clients: number, seconds: number): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const times: number[] = [];
  const until = performance.now() + seconds * 1_000;
  const client = async () => {
    while (performance.now() < until) {
      const begun = performance.now();
      const { status, body } = await get(served, path, agent);
      if (status !== 200) throw new Error(`load: ${path} was answered ${status}: ${body}`);
      times.push(performance.now() - begun);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  agent.destroy();
  return times;
}

function get({ url, key }: Served, path: string, agent: Agent): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}` };
    const sent = request({ host: url.hostname, port: url.port, path: `/v1${path}`, headers, agent }, (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => void pieces.push(piece));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(pieces).toString() }));
      response.on('error', reject);
    });
    sent.on('error', reject).end();
  });
}

function quantile(times: readonly number[], part: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]!;
}

function at(times: readonly number[], part: number): string {
  return quantile(times, part).toFixed(1);
}

function residentMiB({ pid }: ChildProcess): number {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))!;
  return Number(kilobytes) / 1_024;
}

function row(name: string, detail: string, unit: Row['unit'], value: number, target?: Row['target']): Row {
  return { name, detail, unit, measured: { median: value, min: value, max: value }, ...(target && { target }) };
}
