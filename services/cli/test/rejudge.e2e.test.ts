import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cloneDatabase, reportXml, type ClonedDatabase } from '@dmarc-ledger/testkit';
import { parseId } from '@dmarc-ledger/vocabulary';
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
});
afterAll(async () => {
  host[Symbol.dispose]();
  await database[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

const env = () => ({ DATABASE_URL: database.url, DATA_DIR: join(folder.path, 'data'), LOG_LEVEL: 'error' });

const json = (...args: string[]) => jsonOf(host.run([...args, '--json'], env()));

const relayed = { spfDomain: 'lists.example.net', spfResult: 'pass' };
const RECORDS = [
  { ip: '45.0.0.1', count: 10, dkim: 'pass' as const },
  { ip: '45.0.0.2', count: 5, ...relayed },
  { ip: '45.0.0.3', count: 4, ...relayed, selector: 'forged' },
  { ip: '45.0.0.4', count: 3, reason: 'mailing_list' },
];

it('judges stored mail again as the rules of today do, once, after showing what that changes', async () => {
  const orgId = parseId((await json('org', 'create', 'Organization')).id)!;
  const place = join(folder.path, 'reports');
  mkdirSync(place);
  for (const i of [0, 1]) writeFileSync(join(place, `${i}.xml`), reportXml({ id: `r-${i}`, records: RECORDS }));
  await json('ingest', place, '--org', orgId);
  const classes = async () => {
    const { rows } = await sql<{ class: string; proved: boolean; messages: number }>`
      select class, proved, sum(messages)::int as messages from report_record where org_id = ${orgId} group by 1, 2
      order by 1, 2`.execute(database.db);
    return rows.map((row) => Object.values(row).join(' '));
  };
  const right = [
    'authenticated false 20',
    'likely_forwarded false 10',
    'likely_forwarded true 6',
    'needs_review false 8',
  ];
  expect(await classes()).toEqual(right);

  // as the version before has left it: every broken signature was evidence, and no forwarding proved
  await sql`update stored_record set proved = false, class = 'likely_forwarded'
    where org_id = ${orgId} and class <> 'authenticated'`.execute(database.db);
  await host.run(['audit', '--org', orgId, '--repair'], env());
  const before = await classes();
  const changes = {
    checked: 6,
    reports: 2,
    changes: [
      { from: 'likely_forwarded (inferred)', to: 'needs_review', records: 2, messages: 8 },
      { from: 'likely_forwarded (inferred)', to: 'likely_forwarded (proved)', records: 2, messages: 6 },
    ],
  };
  expect(await json('intake', 'rejudge', '--org', orgId, '--dry-run')).toEqual({ dry_run: true, ...changes });
  expect(await classes()).toEqual(before);
  expect(await json('intake', 'rejudge', '--org', orgId)).toEqual({ dry_run: false, ...changes });
  expect(await classes()).toEqual(right);
  expect(await json('intake', 'rejudge')).toEqual({ dry_run: false, checked: 6, reports: 0, changes: [] });
  expect((await host.run(['audit', '--org', orgId], env())).code).toBe(0);
});
