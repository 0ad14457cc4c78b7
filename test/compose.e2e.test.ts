import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from '@dmarc-ledger/local-postgres';
import { sampleReports } from '@dmarc-ledger/samples';
import { emptyDatabase, redisServer, type RedisServer } from '@dmarc-ledger/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { getJson } from './support/api.ts';
import { runCommand } from './support/command.ts';
import { ownServices, placed, readCompose } from './support/compose-file.ts';
import { metricsOfAlerts, metricsOfDashboard } from './support/monitoring.ts';
import { namesIn, valueOf } from './support/exposition.ts';
import { temporaryFolder } from './support/folder.ts';
import { otlpReceiver } from './support/otlp-receiver.ts';
import { startServing, type Service } from './support/service.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..');
const REPORTS = 40;
/** A collector of spans. */
const spans = await otlpReceiver();

const file = readCompose();
const services = new Map(ownServices(file));
const folder = temporaryFolder();
const ports = new Map<string, { [name: string]: string }>();
const running = new Map<string, Service>();
let redis: RedisServer;
let database: Awaited<ReturnType<typeof emptyDatabase>>;

/** The environment that the file gives a service, with hosts and paths of this machine. */
function environmentOf(name: string): { [name: string]: string } {
  const places = {
    '/run/secrets': join(folder.path, 'secrets'),
    'redis://redis:6379': redis.url,
    'file:///data': `file://${folder.path}/data`,
    '0.0.0.0': '127.0.0.1',
  };
  return {
    ...placed(services.get(name)!.environment, places),
    DATA_DIR: join(folder.path, 'data'),
    OTEL_EXPORTER_OTLP_ENDPOINT: spans.url,
    DNS_SERVERS: '127.0.0.1:9', // nothing listens there: a lookup fails at once, and nothing leaves the machine
    ...ports.get(name),
  };
}

beforeAll(async () => {
  redis = await redisServer();
  database = await emptyDatabase();
  const secrets: { [name: string]: string } = { database_url: database.url, secret_key: 'a'.repeat(64) };
  mkdirSync(join(folder.path, 'secrets'));
  for (const name of services.get('api')!.secrets)
    writeFileSync(join(folder.path, 'secrets', name), `${secrets[name]}\n`);
  for (const name of services.keys()) {
    const [ADMIN_PORT, PORT, INGEST_PORT] = (await Promise.all([freePort(), freePort(), freePort()])).map(String);
    ports.set(name, { ADMIN_PORT: ADMIN_PORT!, PORT: PORT!, INGEST_PORT: INGEST_PORT! });
  }
  const migrated = await runCommand(services.get('migrate')!.command, environmentOf('migrate'));
  if (migrated.code !== 0) throw new Error(migrated.stderr);
  for (const [name, { command }] of services) {
    if (name !== 'migrate') running.set(name, startServing(command, environmentOf(name)));
  }
  await Promise.all([...running.values()].map(({ ready }) => ready));
});

afterAll(async () => {
  await Promise.all([...running.values()].map((service) => service.end('SIGKILL')));
  await spans.close();
  await redis?.stop();
  await database?.[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

it('starts every service of the compose file, and the health check of the file finds each of them able to work', async () => {
  expect([...running.keys()].toSorted()).toEqual(['api', 'ingester', 'scheduler', 'web', 'worker']);
  for (const name of running.keys()) {
    const [kind, program, ...args] = services.get(name)!.healthcheck.test!;
    expect([kind, program]).toEqual(['CMD', 'node']);
    const { stdout } = await run(process.execPath, args, { cwd: root, env: { ...ports.get(name) } });
    expect(JSON.parse(stdout)).toMatchObject({ database: true });
  }
});

it('takes reports in through the ingester, and returns their figures through the API', async () => {
  const orgId = await ran('org', 'create', 'Compose');
  expect(orgId).toBeTruthy();
  const ingestKey = await ran('key', 'create', '--org', 'Compose', '--scope', 'ingest');
  const readKey = await ran('key', 'create', '--org', 'Compose', '--scope', 'read');
  const uploads = `http://127.0.0.1:${ports.get('ingester')!['INGEST_PORT']}`;
  const stories = await upload(uploads, ingestKey);
  const messages = stories.flatMap(({ parts }) =>
    parts.flatMap(({ reports }) => reports.map((report) => report.messages)),
  );
  const reported = sum(messages);
  expect(reported).toBeGreaterThan(0);

  const api = `http://127.0.0.1:${ports.get('api')!['PORT']}/v1`;
  const { total } = await getJson(`${api}/reports?limit=1`, readKey);
  expect(total).toBe(stories.flatMap(({ parts }) => parts.flatMap(({ reports }) => reports)).length);
  expect(await getJson(`${api}/statistics`, readKey)).toMatchObject({ total_messages: reported });

  for (const [name, figure, value] of [
    ['worker', 'outbox_pending', 0],
    ['worker', 'redis_up', 1],
    ['ingester', 'ingest_lag_seconds', 0],
    ['scheduler', 'rollup_dirty', 0],
  ] as const)
    await until(async () => valueOf(await metricsOf(name), figure) === value); // cached for seconds, absent when late
  await until(
    async () =>
      (valueOf(await metricsOf('worker'), 'job_seconds_count', { queue: 'records', outcome: 'done' }) ?? 0) > 0,
  );
  const ingester = await metricsOf('ingester');
  expect(valueOf(ingester, 'ingest_messages_total', { source: 'upload', outcome: 'stored' })).toBe(REPORTS);
  expect(valueOf(ingester, 'duplicate_total', { level: 'delivery' })).toBe(1);
  expect(valueOf(ingester, 'ingest_refused_total', { code: 'not_a_report' })).toBe(1);
});

it('shows health and figures on the admin port of every service', async () => {
  for (const name of running.keys()) {
    for (const page of ['healthz', 'readyz', 'metrics'])
      await until(async () => (await admin(name, page)).status === 200);
    expect(await (await admin(name, 'readyz')).json()).toMatchObject({ database: true, migrations: true });
    const metrics = await metricsOf(name);
    expect([...namesIn(metrics)]).toEqual(
      expect.arrayContaining(['build_info', 'eventloop_lag_seconds', 'pg_pool_waiting']),
    );
  }
});

it('exports every figure that the dashboard and the alerts ask for', async () => {
  const exported = new Set<string>();
  for (const name of running.keys()) for (const metric of namesIn(await metricsOf(name))) exported.add(metric);
  const missing = (asked: Set<string>) => [...asked].filter((name) => !exported.has(name));
  expect(missing(metricsOfDashboard())).toEqual([]);
  expect(missing(metricsOfAlerts())).toEqual([]);
});

it('sends each request, delivery and job as a span, without search terms', async () => {
  await until(async () => spans.of('dmarc-ledger-ingester', 'take in').length > REPORTS); // they leave in batches
  expect(spans.of('dmarc-ledger-ingester', 'take in')).toHaveLength(REPORTS + 1);
  await until(async () => spans.of('dmarc-ledger-worker', 'alignReports').length > 0);
  await until(async () => spans.of('dmarc-ledger-api', 'GET /v1/reports').length > 0);
  const [asked] = spans.of('dmarc-ledger-api', 'GET /v1/reports');
  expect(asked!.attributes).toMatchObject({ 'http.route': '/v1/reports', 'http.response.status_code': 200 });
  expect(Number(asked!.endedAt - asked!.beganAt)).toBeGreaterThan(0);
});

it('ends every service with SIGTERM, within the time that the file gives it', async () => {
  for (const [name, service] of running) {
    expect(services.get(name)!.stop_grace_period).toBe('30s');
    expect(await service.end('SIGTERM')).toBe(0); // after 25 seconds it ends itself, with another code
  }
});

/** The output of a command, run as `docker compose run --rm ingester …` runs it. */
async function ran(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runCommand(args, environmentOf('ingester'));
  if (code !== 0) throw new Error(stderr);
  return stdout.trim();
}

interface Story {
  state: string;
  parts: { reports: { messages: number }[] }[];
}

/** Hands in reports, one of them twice, and something that is none; what became of them. */
async function upload(base: string, key: string): Promise<Story[]> {
  const headers = { authorization: `Bearer ${key}` };
  const urls: string[] = [];
  const stories: Story[] = [];
  const bodies: Buffer[] = [];
  for (const { bytes } of sampleReports({ today: '2026-05-01' })) {
    if (bodies.push(bytes) === REPORTS) break;
  }
  for (const body of [...bodies, bodies[0]!, Buffer.from('{"no": "report"}')]) {
    const answer = await fetch(`${base}/ingest/v1/reports`, { method: 'POST', headers, body: new Uint8Array(body) });
    expect(answer.status).toBe(202);
    urls.push(((await answer.json()) as { status_url: string }).status_url);
  }
  for (const url of urls) {
    let story: Story;
    await until(async () => {
      story = await getJson(new URL(url, base).href, key);
      return !['received', 'processing'].includes(story.state);
    });
    stories.push(story!);
  }
  return stories.slice(0, REPORTS);
}

async function admin(name: string, page: string): Promise<Response> {
  return await fetch(`http://127.0.0.1:${ports.get(name)!['ADMIN_PORT']}/${page}`);
}

async function metricsOf(name: string): Promise<string> {
  return await (await admin(name, 'metrics')).text();
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await sleep(50);
}

function sum(values: readonly number[]): number {
  return values.reduce((so, value) => so + value, 0);
}
