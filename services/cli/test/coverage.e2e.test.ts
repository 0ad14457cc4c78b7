import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cloneDatabase, reportXml, type ClonedDatabase } from '@dmarc-ledger/testkit';
import { addDays, dayOf, startOfDay } from '@dmarc-ledger/vocabulary';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openCommandHost } from '../../../test/support/command.ts';
import { temporaryFolder } from '../../../test/support/folder.ts';
import { jsonOf } from '../../../test/support/json-of.ts';

const folder = temporaryFolder();
const host = openCommandHost();
const today = dayOf(Date.now() / 1_000);
let database: ClonedDatabase;

beforeAll(async () => {
  database = await cloneDatabase();
  const place = join(folder.path, 'reports');
  mkdirSync(place);
  const records = [{ ip: '192.0.2.1', count: 40, dkim: 'pass', spf: 'pass' } as const];
  for (let ago = 40; ago >= 10; ago -= 1) {
    const begin = startOfDay(addDays(today, -ago));
    const report = reportXml({ id: `day-${ago}`, domain: 'firm.example', begin, records });
    writeFileSync(join(place, `${ago}.xml`), report);
  }
  await json('org', 'create', 'Firm');
  await json('org', 'create', 'Other');
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

it('says how much the figures see, and that no reports arrive any more', async () => {
  const answer = await json('coverage', 'Firm.example.', '--org', 'Firm');
  expect(answer).toMatchObject({ domain: 'firm.example', days: 30, missing_days: 8, reporters_total: 1 });
  expect(answer.unseen_messages).toBe(8 * 40);
  const { stdout, code } = await ran('coverage', 'firm.example', '--org', 'Firm', '--days', '60');
  expect(code).toBe(0);
  expect(stdout).toContain('Low confidence: the reports show ');
  expect(stdout).toContain('On 8 days of 58 no report came although some were expected');
  expect(stdout).toMatch(new RegExp(`${addDays(today, -9)} +missing +0 +1 +1`));
});

it('lists the rules for bulk senders with their states', async () => {
  const answer = await json('bulk-sender', 'firm.example', '--org', 'Firm');
  expect(answer).toMatchObject({ domain: 'firm.example', days: 30 });
  expect(answer.requirements).toHaveLength(11);
  const { stdout } = await ran('bulk-sender', 'firm.example', '--org', 'Firm');
  expect(stdout).toMatch(
    /The domain in From aligns with SPF or DKIM +met +google 2024-02, yahoo 2024-02, microsoft 2025-05/,
  );
});

it.each(['coverage', 'bulk-sender', 'enforce'])(
  '%s knows nothing of a domain of another organization',
  async (command) => {
    const { stderr, code } = await ran(command, 'firm.example', '--org', 'Other');
    expect([code, stderr]).toEqual([1, expect.stringContaining('Nothing is known of firm.example')]);
  },
);
