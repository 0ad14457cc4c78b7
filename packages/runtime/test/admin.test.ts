import { Writable } from 'node:stream';
import { openLogger, openMetrics, startAdmin, type Admin, type Metrics } from '@dmarc-ledger/runtime';
import { afterEach, beforeEach, expect, it } from 'vitest';

let metrics: Metrics;
let admin: Admin;
let ready: () => Promise<Record<string, boolean>>;

beforeEach(async () => {
  ready = async () => ({ database: true, queue: true });
  metrics = openMetrics({ service: 'sample', version: '1.2.3' });
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
  ['cannot tell', async () => Promise.reject(new Error('lost'))],
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
