import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, expect, it, vi } from 'vitest';
import { getJson } from '../../../test/support/api.ts';
import { openCommandHost, runCommand } from '../../../test/support/command.ts';
import { temporaryFolder } from '../../../test/support/folder.ts';
import { launchInstance } from '../../../test/support/instance.ts';
import { makeCorpus, writeCorpus } from '../../../test/support/synthetic.ts';

const host = openCommandHost();
afterAll(() => host[Symbol.dispose]());

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

/** A data folder that does not exist yet; nothing that uses it outlives the test. */
function newDataDir(): string {
  const folder = temporaryFolder();
  cleanUps.push(() => folder[Symbol.dispose]());
  return join(folder.path, 'data');
}

type Start = Parameters<typeof launchInstance>;

function launch(...[dataDir, args, env]: Start) {
  const launched = launchInstance(dataDir, args, env);
  cleanUps.push(async () => {
    await launched.end('SIGTERM');
    await host.run(['migrate', '--status'], { DATA_DIR: dataDir }); // the last one out stops the database
  });
  return launched;
}

const start = (...args: Start) => launch(...args).ready;

/** A port that is taken for as long as the test runs. */
async function takenPort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanUps.push(() => server.close());
  return String((server.address() as AddressInfo).port);
}

/** Runs a command line as a user pastes it. */
function pasted(line: string) {
  const { stdout, status } = spawnSync('sh', ['-c', line], { encoding: 'utf8' });
  return { status, body: JSON.parse(stdout) };
}

it('starts on nothing, takes the samples in, and prints a URL, a key and three lines that work', async () => {
  const dataDir = newDataDir();
  const first = await start(dataDir);
  expect(first.output).toMatch(
    /sample reports: 1,\d{3} received, 1,\d{3} stored \(1,\d{3} reports, \d,\d{3} records\), 1 duplicate, 1 refused/,
  );
  expect(first.apiUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(first.key).toMatch(/^dml_/);
  expect(first.curls).toHaveLength(3);
  const [statistics, trends, reports] = first.curls.map(pasted);
  expect(statistics).toMatchObject({ status: 0, body: { has_data: true, unique_domains: 7 } });
  expect(trends!.body.points).toHaveLength(30);
  expect(reports!.body.reports).toHaveLength(5);
  expect(await (await fetch(`${first.apiUrl}/docs`)).text()).toContain('<html');
  expect(statSync(join(dataDir, 'api-key')).mode & 0o777).toBe(0o600);

  expect(await first.end('SIGTERM')).toBe(0);

  const again = await start(dataDir);
  expect(again.key).toBe(first.key);
  expect(again.output).not.toContain('sample reports:');
  expect(pasted(again.curls[0]!).body).toEqual(statistics!.body);
});

it('finishes current work when it is stopped, and continues with the rest when started again', async () => {
  const dataDir = newDataDir();
  const corpus = makeCorpus(400, 7);
  const folder = join(dataDir, '..', 'reports');
  writeCorpus(corpus, [folder], 7);
  const stopped = launch(dataDir, [folder]);
  // a folder for each two first letters of a hash: something has been received
  const folders = () => readdirSync(join(dataDir, 'blobs')).length;
  await vi.waitFor(() => expect(folders()).toBeGreaterThan(10), { timeout: 200_000 });
  expect(await stopped.end('SIGTERM')).toBe(0);

  const { apiUrl, key, output } = await start(dataDir, [folder]);
  expect(output).toContain(`deliveries: ${corpus.files.length} received`);
  expect(await getJson(`${apiUrl}/v1/statistics`, key)).toMatchObject({ total_reports: corpus.reports.length });
});

it('starts again after it was killed, with the same data and key', async () => {
  const dataDir = newDataDir();
  const killed = await start(dataDir, ['--no-samples']);
  const posted = await fetch(killed.uploadUrl, {
    method: 'POST',
    headers: { authorization: `Bearer ${killed.key}` },
    body: new Uint8Array(makeCorpus(1, 1).files[0]!.bytes),
  });
  expect(posted.status).toBe(202);
  expect(await killed.end('SIGKILL')).toBe(null);

  const { apiUrl, uploadUrl, key } = await start(dataDir, ['--no-samples']);
  expect(key).toBe(killed.key);
  const { status_url: statusUrl } = (await posted.json()) as { status_url: string };
  const finishedAt = async () => (await getJson(new URL(statusUrl, uploadUrl).href, key)).finished_at;
  await expect.poll(finishedAt, { interval: 100 }).toEqual(expect.any(String));
  expect(await getJson(`${apiUrl}/v1/statistics`, key)).toMatchObject({ total_reports: 1 });
});

it('names the variable of a port that is in use', async () => {
  const dataDir = newDataDir();
  const port = await takenPort();
  cleanUps.push(() => host.run(['migrate', '--status'], { DATA_DIR: dataDir }));
  for (const variable of ['PORT', 'INGEST_PORT', 'ADMIN_PORT']) {
    const free = { DATA_DIR: dataDir, PORT: '0', INGEST_PORT: '0', ADMIN_PORT: '0' };
    const { code, stderr } = await runCommand(['start', '--no-samples'], { ...free, [variable]: port });
    expect(stderr).toBe(`dmarc-ledger: Port ${port} on 127.0.0.1 is in use; choose another with ${variable}.\n`);
    expect(code).toBe(1);
  }
  for (const [service, variable] of [
    ['api', 'PORT'],
    ['ingester', 'INGEST_PORT'],
  ] as const) {
    const env = { DATA_DIR: dataDir, LOG_LEVEL: 'silent', ADMIN_PORT: '0', [variable]: port };
    const { code, stderr } = await runCommand(['serve', service], env);
    expect(stderr).toBe(`${service}: Port ${port} on 127.0.0.1 is in use; choose another with ${variable}.\n`);
    expect(code).toBe(1);
  }
});

it('lets every command work beside it, on the same data, but refuses a second instance and names the first', async () => {
  const dataDir = newDataDir();
  const instance = await start(dataDir, ['--no-samples']);
  const second = await runCommand(['start', '--no-samples'], {
    DATA_DIR: dataDir,
    PORT: '0',
    INGEST_PORT: '0',
  });
  expect(second.stderr).toMatch(
    new RegExp(`^dmarc-ledger: Process ${instance.pid} already runs "start" on .* DATA_DIR\\.\n$`),
  );
  expect(second.code).toBe(1);
  expect(await getJson(`${instance.apiUrl}/v1/statistics`, instance.key)).toMatchObject({ has_data: false });
  const env = { DATA_DIR: dataDir };
  const path = join(dataDir, '..', 'beside.xml.gz');
  const [file] = makeCorpus(1, 2).files;
  writeFileSync(path, gzipSync(file!.bytes));
  const result = await host.run(['ingest', path, '--org', 'My organization', '--json'], env);
  expect(result).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(result.stdout)).toMatchObject({ received: 1, stored: 1 });
  expect(await getJson(`${instance.apiUrl}/v1/statistics`, instance.key)).toMatchObject({ total_reports: 1 });
  const made = await host.run(['key', 'create', '--org', 'My organization'], env);
  expect(await getJson(`${instance.apiUrl}/v1/statistics`, made.stdout.trim())).toMatchObject({ total_reports: 1 });
  expect(await host.run(['audit'], env)).toMatchObject({ code: 0, stderr: '' });
  expect(readFileSync(join(dataDir, 'api-key'), 'utf8').trim()).toBe(instance.key);
});
