import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { afterAll, expect, it, vi } from 'vitest';
import { getJson } from './support/api.ts';
import { openCommandHost } from './support/command.ts';
import { temporaryFolder } from './support/folder.ts';
import { startInstance, type Instance } from './support/instance.ts';
import { smallDisk } from './support/small-disk.ts';
import { makeCorpus, type Corpus } from './support/synthetic.ts';

const host = openCommandHost();
afterAll(() => host[Symbol.dispose]());

/** Reports whose files all say something: what is acknowledged is what must be counted. */
const corpus = makeCorpus(60, 11);
const WAIT = { timeout: 60_000, interval: 250 };

async function post({ uploadUrl, key }: Instance, { bytes }: Corpus['files'][number]) {
  const headers = { authorization: `Bearer ${key}` };
  const response = await fetch(uploadUrl, { method: 'POST', headers, body: new Uint8Array(bytes) });
  // oxlint-disable-next-line typescript/no-explicit-any -- what a client gets has no type
  const body = (await response.json()) as any;
  return { status: response.status, code: body.code, retryAfter: response.headers.get('retry-after'), body };
}

/** Writes until the embedded database ends, because it has no space for its log. */
async function endDatabase(dataDir: string): Promise<void> {
  const cluster = join(dataDir, 'postgres', 'cluster');
  const { user, password } = JSON.parse(readFileSync(join(dataDir, 'postgres', 'connection.json'), 'utf8'));
  const [pid, , , port] = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n').map(Number);
  const client = new pg.Client({ host: '127.0.0.1', port, user, password, database: 'postgres' });
  client.on('error', () => {});
  await client.connect();
  const write = `select pg_logical_emit_message(false, 'test', repeat('x', 4000000))`;
  await expect(
    (async () => {
      for (;;) await client.query(write);
    })(),
  ).rejects.toBeInstanceOf(Error);
  await vi.waitFor(() => expect(() => process.kill(pid!, 0)).toThrow('ESRCH'), WAIT);
}

/** The checks of `doctor`. */
async function findings(env: { [name: string]: string }) {
  const { stdout } = await host.run(['doctor', '--json'], { ...env, ENRICHMENT: 'off' });
  return JSON.parse(stdout) as { check: string; state: string; mend: string | null }[];
}

it.each(['embedded database and raw bytes', 'raw bytes alone'])(
  'loses nothing that was acknowledged when the disk of the %s is full, says so, and continues when there is space',
  async (what) => {
    using disk = smallDisk(220);
    if (!disk) throw new Error('This test fills a disk of its own: run it as a user that can mount one (root).');
    using folder = temporaryFolder();
    const isAll = what.startsWith('embedded');
    const dataDir = join(isAll ? disk.path : folder.path, 'data');
    const env: { [name: string]: string } = { DATA_DIR: dataDir };
    if (!isAll) env['BLOB_URL'] = pathToFileURL(join(disk.path, 'blobs')).href;
    const instance = await startInstance(dataDir, ['--no-samples'], env);
    const [before, during, after] = [corpus.files.slice(0, 30), corpus.files.slice(30, 40), corpus.files.slice(40)];

    const first = await Promise.all(before.map((file) => post(instance, file)));
    disk.fill();
    const refused = await Promise.all(during.map((file) => post(instance, file)));
    expect(new Set(first.map(({ status }) => status))).toEqual(new Set([202]));
    expect(refused.filter(({ status }) => status !== 202)).not.toEqual([]);
    for (const { status, code, retryAfter } of refused.filter((answer) => answer.status !== 202))
      expect({ status, code, retryAfter }).toEqual({ status: 503, code: 'storage_low', retryAfter: '60' });
    await vi.waitFor(() => expect(instance.log()).toContain('"event":"intake.storage_low"'), WAIT);
    const sick = (await findings(env)).filter(({ state }) => state !== 'ok');
    expect(sick.map(({ mend }) => mend).filter((mend) => mend?.startsWith('Free some space'))).not.toEqual([]);
    expect(sick.map(({ check }) => check)).toContain('raw bytes');

    if (isAll) await endDatabase(dataDir);
    disk.empty();
    await vi.waitFor(async () => expect((await post(instance, after[0]!)).status).toBe(202), WAIT);
    const last = await Promise.all(after.map((file) => post(instance, file)));
    expect(new Set(last.map(({ status }) => status))).toEqual(new Set([202]));
    const acknowledged = [...first, ...refused, ...last].filter(({ status }) => status === 202);
    for (const { body } of acknowledged) {
      const url = new URL(body.status_url, instance.uploadUrl).href;
      await vi.waitFor(
        async () => expect((await getJson(url, instance.key)).state).toMatch(/stored|duplicate|refused/),
        WAIT,
      );
    }
    expect(await host.run(['audit'], env)).toMatchObject({ code: 0, stderr: '' });
    expect(await instance.end('SIGTERM')).toBe(0);
  },
);
