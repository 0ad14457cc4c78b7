import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { createOrganization } from '@dmarc-ledger/ledger';
import { freePort } from '@dmarc-ledger/local-postgres';
import { receiveMessages } from '@dmarc-ledger/pipeline';
import { openQueues } from '@dmarc-ledger/queues';
import { splitByMonth } from '@dmarc-ledger/schema';
import { newId } from '@dmarc-ledger/vocabulary';
import { Redis } from 'ioredis';
import { partitionByOrganization } from '../test/support/partitions.ts';
import { costOf, type Cost } from './cpu.ts';
import { judgeStored } from './judging.ts';
import { openLab, type Lab } from './lab.ts';
import { openLedger, type Ledger } from './ledger.ts';
import { below, geometric, seeded, zipf, type Random } from './random.ts';
import { recordXml, reportEnd, reportStart } from './report-xml.ts';
import { bytesOf, tableSizes } from './table-sizes.ts';

/** An organization of a thousand records a day: two domains, ten reporters, fifty records a report. */
const DOMAINS = 2;
const REPORTERS = 10;
const RECORDS = 50;
/** Nine records of ten are of its own sources, one of any address. */
const OWN_SOURCES = 300;
const OTHERS = 0.1;
const DAY = 86_400;
const JOBS = 20_000;
const AT_ONCE = 200;

const { values } = parseArgs({
  options: {
    organizations: { type: 'string', default: '40' },
    days: { type: 'string', default: '8' },
    seed: { type: 'string', default: '1' },
    /** Tables of organizations are hash partitions, so many; 0: they are whole. */
    parts: { type: 'string', default: '0' },
    /** Below them, months of the two that grow fastest. */
    months: { type: 'string', default: '14' },
    /** The command `partition` has run. */
    monthly: { type: 'boolean', default: false },
  },
});
const [organizations, days] = [Number(values.organizations), Number(values.days)];

/** Fills a ledger day by day and prints its size, table by table, and the cost of writing it. */
async function main(): Promise<void> {
  const lab = await openLab({ wal_compression: 'on' });
  try {
    const ledger = await openLedger(lab);
    const parts = Number(values.parts);
    if (parts > 0) await partitionByOrganization(ledger.url, { parts, days: months(Number(values.months)) });
    if (values.monthly) await splitByMonth(ledger.url, new Date().toISOString().slice(0, 10));
    const random = seeded(Number(values.seed));
    const orgs: Org[] = [];
    for (let i = 0; i < organizations; i += 1) {
      const { id } = await createOrganization(ledger.database.db, { name: `Sizes ${i}` });
      orgs.push({
        id,
        source: zipf(
          Array.from({ length: OWN_SOURCES }, () => anyAddress(random)),
          0.8,
        ),
      });
    }
    console.log(`${organizations} organizations, ${days} days; ${cpus().length} × ${cpus()[0]?.model.trim()}`);
    for (let day = 0; day < days; day += 1) {
      const reports = orgs.flatMap((org) => reportsOf(org, day, random));
      console.log(`day ${day + 1}: ${await taken(lab, ledger, reports)}`);
      await ledger.database.pool.query('vacuum analyze');
    }
    await lab.checkpoint();
    const one = orgs.map((org) => reportsOf(org, days, random)[0]!);
    console.log(`one report for each organization after a checkpoint: ${await taken(lab, ledger, one)}`);
    await ledger.database.pool.query('vacuum analyze');
    await showTables(ledger, organizations * days * DOMAINS * REPORTERS + organizations);
    await ledger.close();
    console.log(`Redis, bytes for each waiting job: ${await bytesOfAJob(lab)}`);
  } finally {
    await lab.close();
  }
}

/** First days of so many months, the next one and its end the last of them. */
function months(count: number): string[] {
  const now = new Date();
  return Array.from({ length: count === 0 ? 0 : count + 1 }, (_, i) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 2 - count + i, 1)).toISOString().slice(0, 10),
  );
}

interface Org {
  id: string;
  source: (random: Random) => string;
}

interface Sent {
  orgId: string;
  content: Buffer;
}

function reportsOf({ id: orgId, source }: Org, day: number, random: Random): Sent[] {
  const begin = (Math.floor(Date.now() / 1000 / DAY) - days - 1 + day) * DAY;
  return Array.from({ length: DOMAINS * REPORTERS }, (_, i) => {
    const domain = `d${i % DOMAINS}.example`;
    const head = { id: newId(), domain, reporter: `reporter-${i % REPORTERS}.example`, begin, end: begin + DAY - 1 };
    const records = Array.from({ length: RECORDS }, () => {
      const [dkim, spf] = [random() < 0.88, random() < 0.8];
      const sourceIp = random() < OTHERS ? anyAddress(random) : source(random);
      return recordXml({ sourceIp, count: geometric(random, 9), dkim, spf, domain, random });
    });
    return { orgId, content: gzipSync(reportStart(head) + records.join('') + reportEnd()) };
  });
}

function anyAddress(random: Random): string {
  return `${20 + below(random, 80)}.${below(random, 256)}.${below(random, 256)}.${1 + below(random, 254)}`;
}

/** Receives, stores and judges, and returns the cost of each step for each record. */
async function taken(lab: Lab, ledger: Ledger, sent: readonly Sent[]): Promise<string> {
  const records = sent.length * RECORDS;
  const costs: string[] = [];
  const measure = async (name: string, work: () => Promise<unknown>) => {
    const before = await walOf(ledger);
    const cost = await costOf(lab.serverPid, async () => void (await work()));
    const wal = (await walOf(ledger)) - before;
    costs.push(`${name} ${Math.round(wal / records)} B WAL, ${microseconds(cost, records)}`);
  };
  await measure('receive', () => receive(ledger, sent));
  await measure('store', () => ledger.takeIn());
  await measure('judge', () => judgeStored(ledger));
  const bytes = sent.reduce((sum, { content }) => sum + content.length, 0);
  return `${costs.join('; ')}; ${Math.round(bytes / sent.length)} B a gzip file; all for each of ${records} records`;
}

function microseconds({ client, server }: Cost, records: number): string {
  return `${((client * 1e6) / records).toFixed(1)} + ${((server * 1e6) / records).toFixed(1)} µs`;
}

async function receive({ database, blobs }: Ledger, sent: readonly Sent[]): Promise<void> {
  for (const [orgId, some] of Map.groupBy(sent, (one) => one.orgId)) {
    const arrivals = some.map(({ content }) => ({ content, source: 'file' as const, name: null }));
    await receiveMessages({ database, blobs }, orgId, arrivals);
  }
}

async function walOf({ database }: Ledger): Promise<number> {
  const { rows } = await database.pool.query<{ at: number }>(
    `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint as at`,
  );
  return rows[0]!.at;
}

async function showTables({ database }: Ledger, reports: number): Promise<void> {
  const sizes = await tableSizes(database);
  const records = reports * RECORDS;
  const tables = sizes.map(({ name, rows: count, heap, indexes }) => ({
    table: name,
    rows: count,
    'rows a record': (count / records).toFixed(3),
    'heap B a row': Math.round(heap / count),
    'index B a row': Math.round(indexes / count),
    'B a record': Math.round((heap + indexes) / records),
  }));
  console.table(tables);
  console.log(`${reports} reports, ${records} records: ${Math.round(bytesOf(sizes) / records)} B a record in all`);
}

/** What a waiting job adds to the memory of a Redis of its own. */
async function bytesOfAJob(lab: Lab): Promise<number> {
  const port = await freePort();
  const server = spawn('redis-server', ['--port', String(port), '--save', '', '--dir', lab.folder], {
    stdio: 'ignore',
  });
  const redisUrl = `redis://127.0.0.1:${port}`;
  const redis = new Redis(redisUrl, { retryStrategy: () => 50, maxRetriesPerRequest: null });
  redis.on('error', () => {}); // until it has started
  const databaseUrl = await lab.createDatabase(true);
  const queues = await openQueues({ databaseUrl, redisUrl });
  try {
    while (redis.status !== 'ready') await sleep(20);
    const used = async () => Number(/^used_memory:(\d+)/m.exec(await redis.info('memory'))![1]);
    const before = await used();
    for (let i = 0; i < JOBS; i += AT_ONCE)
      await queues.addAll(
        Array.from({ length: AT_ONCE }, () => ({
          job: 'alignReports',
          payload: { orgId: newId(), reportIds: [newId()] },
        })),
      );
    return Math.round(((await used()) - before) / JOBS);
  } finally {
    await queues.close();
    redis.disconnect();
    server.kill();
    await once(server, 'exit');
    await lab.dropDatabase(databaseUrl);
  }
}

await main();
