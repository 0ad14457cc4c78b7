import { join } from 'node:path';
import { cloneDatabase, givenReports, type ClonedDatabase } from '@dmarc-ledger/testkit';
import { addDays, dayOf, parseId } from '@dmarc-ledger/vocabulary';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openCommandHost } from '../../../test/support/command.ts';
import { temporaryFolder } from '../../../test/support/folder.ts';

const folder = temporaryFolder();
const host = openCommandHost();
let database: ClonedDatabase;

beforeAll(async () => {
  database = await cloneDatabase();
  const { id } = JSON.parse((await ran('org', 'create', 'Harbor', '--json')).stdout);
  await ran('user', 'add', 'ops@example.com', '--role', 'owner', '--org', 'Harbor');
  const day = addDays(dayOf(Date.now() / 1_000), -9);
  const window = { begin: `${day}T00:00:00Z`, end: `${day}T23:59:59Z` };
  await givenReports(database.db, parseId(id)!, [{ domain: 'a.example', ...window, records: [{ count: 61 }] }]);
});
afterAll(async () => {
  host[Symbol.dispose]();
  await database[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

const ran = (...args: string[]) => host.run(args, { DATABASE_URL: database.url, DATA_DIR: join(folder.path, 'data') });

it('digest preview prints what would be sent, as text, as HTML and as JSON, and sends nothing', async () => {
  const text = await ran('digest', 'preview', '--org', 'Harbor');
  expect(text.stdout).toMatch(/^DMARC of Harbor: /);
  expect(text.stdout).toMatch(/Messages: (?:61|0 \(61 before\))/);
  const { stdout: html } = await ran('digest', 'preview', '--org', 'Harbor', '--html');
  expect(html).toMatch(/^<!doctype html>[\s\S]*DMARC of Harbor/);
  const digest = JSON.parse(
    (await ran('digest', 'preview', '--org', 'Harbor', '--frequency', 'daily', '--json')).stdout,
  );
  expect(digest).toMatchObject({ figures: [{ label: 'Messages' }, {}, {}] });
});

it('digest set chooses how often a member gets it, and list says when', async () => {
  const list = async () => JSON.parse((await ran('digest', 'list', '--org', 'Harbor', '--json')).stdout);
  const set = (wanted: string, ...more: string[]) =>
    ran('digest', 'set', 'ops@example.com', wanted, '--org', 'Harbor', ...more);
  expect(await set('weekly', '--domain', 'a.example')).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('No mail is sent until SMTP_URL'),
  });
  expect(await set('daily', '--domain', 'none.example')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('none.example is not a domain of this organization'),
  });
  expect(await list()).toMatchObject([
    { email: 'ops@example.com', frequency: 'weekly', domains: ['a.example'], sent: null },
  ]);
  expect((await ran('digest', 'list', '--org', 'Harbor')).stdout).toContain('a.example');
  expect((await set('off')).code).toBe(0);
  expect(await list()).toEqual([]);
  expect(await set('hourly')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('is not daily, weekly or off'),
  });
  expect(await set('off')).toMatchObject({ code: 0 }); // once more changes nothing
  for (const wanted of ['daily', 'off']) {
    const unknown = await ran('digest', 'set', 'nobody@example.com', wanted, '--org', 'Harbor');
    expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining('is not a member') });
  }
});
