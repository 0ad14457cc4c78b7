import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { reportXml } from '@dmarc-ledger/testkit';
import { expect, it, vi } from 'vitest';
import { installPackage } from '../scripts/package/install.ts';
import { getJson } from './support/api.ts';
import { runCommand } from './support/command.ts';
import { temporaryFolder } from './support/folder.ts';
import { startInstance } from './support/instance.ts';

const root = join(import.meta.dirname, '..');
const TLS_REPORT = readFileSync(join(root, 'packages/tlsrpt/test/fixtures/001-as-the-standard-has-it.report.json'));

/** Nothing outside of this machine answers. */
const LOCAL = { DNS_SERVERS: '127.0.0.1:9', ALLOW_PRIVATE_ADDRESSES: 'on' };

it('runs from the npm package alone: first page, first upload, and a stop that loses nothing', async () => {
  using folder = temporaryFolder();
  const program = await installPackage(folder.path);
  const DATA_DIR = join(folder.path, 'data');
  const ledger = await startInstance(DATA_DIR, ['--no-samples'], LOCAL, program);
  try {
    const page = await fetch(ledger.signInUrl);
    expect(page.status).toBe(200);
    const [script] = /\/assets\/[^"]+\.js/.exec(await page.text()) ?? [];
    expect((await fetch(new URL(script!, ledger.apiUrl))).status).toBe(200);
    const help = await fetch(`${ledger.apiUrl}/help/limits`);
    expect([help.status, await help.text()]).toEqual([200, expect.stringContaining('<h1 id="limits">Limits</h1>')]);
    expect(readFileSync(join(program, '../../THIRD-PARTY-NOTICES.txt'), 'utf8')).toContain('minisearch');
    await upload(ledger, reportXml({ domain: 'packed.example', records: [{ ip: '8.8.8.8', count: 7 }] }));
    await upload(ledger, TLS_REPORT); // JSON is read in a thread, which is a file of its own
    await vi.waitFor(
      async () =>
        expect(await getJson(`${ledger.apiUrl}/v1/statistics`, ledger.key)).toMatchObject({ total_messages: 7 }),
      { timeout: 30_000 },
    );
    // libraries that are loaded when they are needed
    await vi.waitFor(
      async () =>
        expect(await getJson(`${ledger.apiUrl}/v1/sources/8.8.8.8`, ledger.key)).toMatchObject({
          geo: { country: 'United States' },
        }),
      { timeout: 60_000, interval: 500 },
    );
    const command = async (...args: string[]) =>
      await promisify(execFile)(process.execPath, [program, ...args], { env: { ...process.env, ...LOCAL, DATA_DIR } });
    const account = ['--org', 'My organization', '--host', '127.0.0.1', '--port', '9', '--user', 'a'];
    const { stdout } = await command('mailbox', 'add', ...account, '--password-env', 'HOME', '--json');
    await expect(command('mailbox', 'test', JSON.parse(stdout).id)).rejects.toThrow(
      'No connection: no server accepts connections at 127.0.0.1:9; ',
    );
    expect(await ledger.end('SIGTERM')).toBe(0);
  } finally {
    await ledger.end('SIGKILL');
    await runCommand(['migrate', '--status'], { DATA_DIR }); // the last one out stops the database
  }
});

async function upload({ uploadUrl, key }: { uploadUrl: string; key: string }, bytes: Buffer): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/octet-stream' };
  const { status_url: statusUrl } = await (
    await fetch(uploadUrl, { method: 'POST', headers, body: new Uint8Array(bytes) })
  ).json();
  await vi.waitFor(
    async () => expect(await getJson(new URL(statusUrl, uploadUrl).href, key)).toMatchObject({ state: 'stored' }),
    { timeout: 60_000, interval: 100 },
  );
}
