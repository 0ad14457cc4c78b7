import { Writable } from 'node:stream';
import { keptFor, openLogger, openMetrics, startAdmin, type Admin, type Metrics } from '@dmarc-ledger/runtime';
import { afterEach, beforeEach, expect, it } from 'vitest';

let metrics: Metrics;
let admin: Admin;
let ready: () => Promise<Record<string, boolean>>;

beforeEach(async () => {
  ready = async () => ({ database: true, queue: true });
  metrics = await openMetrics({ service: 'sample', version: '1.2.3' });
  admin = await startAdmin({ host: '127.0.0.1', port: 0, ready: () => ready(), metrics });
});
afterEach(async () => {
  await admin.close();
  metrics.close();
});

it('says that it is alive', async () => {
  expect(await get('/healthz')).toMatchObject({ status: 200 });
});

it('says that it is ready when it has all it needs', async () => {
  expect(await get('/readyz')).toMatchObject({ status: 200, body: '{"database":true,"queue":true}\n' });
});

it.each([
  ['lacks something', async () => ({ database: true, queue: false })],
  ['fails', async () => Promise.reject(new Error('lost'))],
  ['does not answer', () => new Promise<never>(() => {})],
])('is not ready when a check %s', async (_, check) => {
  ready = check;
  expect(await get('/readyz')).toMatchObject({ status: 503 });
});

it('shows metrics in the form that Prometheus reads', async () => {
  metrics.counter('reports_total', 'Reports seen.', ['outcome']).inc({ outcome: 'stored' }, 3);
  metrics.gaugeOf('queue_jobs', 'Jobs that wait.', async () => 7);
  const { status, body } = await get('/metrics');
  expect(status).toBe(200);
  expect(body).toContain('reports_total{outcome="stored",service="sample"} 3');
  expect(body).toContain('queue_jobs{service="sample"} 7');
  expect(body).toMatch(/build_info\{version="1\.2\.3",node="v\d+[^}]*\} 1/);
  expect(body).toContain('eventloop_lag_seconds');
});

it('shows the other figures when one cannot be read, and counts that', async () => {
  metrics.gaugeOf('broken', 'Of a database that is away.', () => Promise.reject(new Error('lost')));
  metrics.gaugeOf('silent', 'Of one that does not answer.', () => new Promise<never>(() => {}));
  metrics.gaugeOf('absent', 'Of what is not there.', () => undefined);
  metrics.countersOf('seen_total', 'Counted elsewhere.', ['kind'], () => [{ labels: { kind: 'a' }, value: 4 }]);
  await get('/metrics');
  const { status, body } = await get('/metrics');
  expect(status).toBe(200);
  expect(body).toContain('seen_total{kind="a",service="sample"} 4');
  expect(body).not.toMatch(/^(?:broken|silent|absent)[{ ]/m);
  expect(body).toContain('metrics_unread_total{metric="silent",service="sample"} ');
});

it('reads a metric once for all requests within a while, and again after a failure', async () => {
  let readings = 0;
  const read = keptFor(60_000, async () => {
    readings += 1;
    if (readings === 1) throw new Error('lost');
    return readings;
  });
  await expect(read()).rejects.toThrow('lost');
  expect(await Promise.all([read(), read(), read()])).toEqual([2, 2, 2]);
});

it('knows no other page', async () => {
  expect(await get('/')).toMatchObject({ status: 404 });
});

it('says in a sentence that its port is taken', async () => {
  const taken = startAdmin({ host: '127.0.0.1', port: admin.port, ready, metrics });
  await expect(taken).rejects.toThrow(`Port ${admin.port} on 127.0.0.1 is in use; choose another with ADMIN_PORT.`);
});

it('keeps secrets out of the log', () => {
  const lines: string[] = [];
  const to = new Writable({ write: (chunk: Buffer, _, done) => (lines.push(chunk.toString()), done()) });
  const log = openLogger({ name: 'sample', level: 'info', to });
  log.info(
    { event: 'mailbox.connect', mailbox: { user: 'reports', password: 'hunter2' }, token: 'hunter2' },
    'connected',
  );
  log.debug('not shown');
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0]!)).toMatchObject({
    level: 'info',
    event: 'mailbox.connect',
    mailbox: { user: 'reports' },
    msg: 'connected',
  });
  expect(lines[0]).not.toContain('hunter2');
});

async function get(path: string): Promise<{ status: number; body: string }> {
  const response = await fetch(`http://127.0.0.1:${admin.port}${path}`);
  return { status: response.status, body: await response.text() };
}
