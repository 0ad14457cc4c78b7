import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cloneDatabase, DAY_ONE, reportXml, type ClonedDatabase } from '@dmarc-ledger/testkit';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openCommandHost } from '../../../test/support/command.ts';
import { temporaryFolder } from '../../../test/support/folder.ts';
import { jsonOf } from '../../../test/support/json-of.ts';

const folder = temporaryFolder();
const host = openCommandHost();
let database: ClonedDatabase;

beforeAll(async () => {
  database = await cloneDatabase();
  const place = join(folder.path, 'reports');
  mkdirSync(place);
  const pass = { dkim: 'pass', spf: 'pass' } as const;
  const records = [
    { ip: '192.0.2.1', count: 40, ...pass },
    { ip: '192.0.2.9', count: 2, ...pass },
    { ip: '198.51.100.7', count: 9 },
  ];
  writeFileSync(join(place, 'one.xml'), reportXml({ id: 'one', domain: 'firm.example', begin: DAY_ONE, records }));
  await json('org', 'create', 'Firm');
  await json('ingest', place, '--org', 'Firm');
}, 240_000);
afterAll(async () => {
  host[Symbol.dispose]();
  await database[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

const ran = (...args: string[]) =>
  host.run(args, { DATABASE_URL: database.url, DATA_DIR: join(folder.path, 'data'), DNS_SERVERS: '127.0.0.1:1' });

const json = (...args: string[]) => jsonOf(ran(...args, '--json'));

const decide = (sender: string, decision: string, ...more: string[]) =>
  json('sender', 'decide', 'firm.example', sender, decision, '--org', 'Firm', ...more);
const decisions = async () =>
  (await json('sender', 'list', '--domain', 'firm.example')).map((row: { [name: string]: unknown }) => [
    row['sender'],
    row['messages'],
    row['decision'],
    row['owner'],
    row['decided_by'],
  ]);

it('lists who sends, decides about it, and keeps what was decided through replay, repair and purge', async () => {
  expect(await decisions()).toEqual([
    ['192.0.2.0/24', 42, null, null, null],
    ['198.51.100.0/24', 9, null, null, null],
  ]);
  expect(await decide('192.0.2.9', 'ours', '--owner', 'IT', '--by', 'it@firm.example')).toEqual({
    domain: 'firm.example',
    sender: '192.0.2.0/24',
    decision: 'ours',
  });
  await decide('198.51.100.0/24', 'not_ours');
  const decided = [
    ['192.0.2.0/24', 42, 'ours', 'IT', 'it@firm.example'],
    ['198.51.100.0/24', 9, 'not_ours', null, 'cli'],
  ];
  expect(await decisions()).toEqual(decided);
  const table = await ran('sender', 'list', '--domain', 'firm.example');
  expect(table.stdout).toMatch(/192\.0\.2\.0\/24 +2 +42 +42 +ours +IT +ours/);

  await json('intake', 'replay', '--org', 'Firm', '--since', '2020-01-01');
  await json('audit', '--repair');
  expect(await decisions()).toEqual(decided);
  await sql`update report set received_at = '2020-01-01'`.execute(database.db);
  await json('purge', '--older-than', '400');
  expect(await decisions()).toEqual(decided.map((row) => row.with(1, 0)));

  await decide('198.51.100.0/24', 'undecided');
  expect(await decisions()).toEqual([['192.0.2.0/24', 0, 'ours', 'IT', 'it@firm.example']]);
  expect(
    (await json('sender', 'history')).map((row: { [name: string]: unknown }) => [row['sender'], row['decision']]),
  ).toEqual([
    ['198.51.100.0/24', null],
    ['198.51.100.0/24', 'not_ours'],
    ['192.0.2.0/24', 'ours'],
  ]);
});

it('lists the newest decisions of all organizations first', async () => {
  await json('org', 'create', 'A firm before the first');
  await json('ingest', join(folder.path, 'reports'), '--org', 'A firm before the first');
  const decideThere = (decision: string, org: string) =>
    json('sender', 'decide', 'firm.example', '192.0.2.0/24', decision, '--org', org);
  await json('ingest', join(folder.path, 'reports'), '--org', 'Firm');
  await decideThere('ours', 'A firm before the first');
  await decideThere('not_ours', 'Firm');
  await decideThere('forwarder', 'A firm before the first');
  const newest = (await json('sender', 'history')).slice(0, 3);
  expect(newest.map((row: { decision: string }) => row.decision)).toEqual(['forwarder', 'not_ours', 'ours']);
});

it.each([
  ['a sender that sends nothing', ['firm.example', 'mailchimp', 'ours'], 'sends nothing as'],
  ['a domain that there is not', ['other.example', '192.0.2.0/24', 'ours'], 'sends nothing as'],
  ['a decision that there was not', ['firm.example', 'mailchimp', 'undecided'], 'Nothing was decided'],
  ['what is no decision', ['firm.example', 'mailchimp', 'maybe'], 'Allowed choices are'],
])('refuses %s', async (_, args, message) => {
  const { stderr, code } = await ran('sender', 'decide', ...args, '--org', 'Firm');
  expect(code).not.toBe(0);
  expect(stderr).toContain(message);
});
