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
  const reports = Array.from({ length: 14 }, (_, i) => {
    const day = addDays(dayOf(Date.now() / 1_000), -2 - i);
    const window = { begin: `${day}T00:00:00Z`, end: `${day}T23:59:59Z` };
    const failing = { ip: '192.0.2.9', count: 10, dkim: false, spf: false, class: 'needs_review' as const };
    return { domain: 'harbor.example', ...window, records: [{ ip: '198.51.100.7', count: 90 }, failing] };
  });
  const rejected = reports.map((report) => ({
    ...report,
    domain: 'pier.example',
    policy: { p: 'reject' as const },
    records: [
      { ip: '198.51.100.7', count: 50 },
      { ip: '198.51.100.7', count: 40, dkim: false, spf: false, disposition: 'reject' as const },
    ],
  }));
  await givenReports(database.db, parseId(id)!, [...reports, ...rejected]);
});
afterAll(async () => {
  host[Symbol.dispose]();
  await database[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

const ran = (...args: string[]) => host.run(args, { DATABASE_URL: database.url, DATA_DIR: join(folder.path, 'data') });

it('enforce says what quarantine would have done, to the message, and whom to look at first', async () => {
  const { stdout, code } = await ran('enforce', 'harbor.example', '--org', 'Harbor');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^ready after 1 fix: /);
  expect(stdout).toMatch(/^quarantine\s+1,?400\s+140\s+140\s+0\s+0\s+0\s+140/m);
  expect(stdout).toMatch(/^192\.0\.2\.0\/24\s+140\s+1\s.*yes/m);
});

it('enforce names the own senders whose mail is rejected, where nothing stricter is left', async () => {
  const { stdout } = await ran('enforce', 'pier.example', '--org', 'Harbor');
  expect(stdout).toMatch(/^ready: .* But in the last 30 days receivers rejected 560 messages of 1 sender/);
  expect(stdout).toMatch(/^Own mail that receivers rejected:$/m);
  expect(stdout).toMatch(/^198\.51\.100\.0\/24\s+560\s+1\s/m);
  expect(stdout).toMatch(/^198\.51\.100\.0\/24: Decide whether /m);
});

it('enforce --json is what the API answers, for 30, 60 or 90 days', async () => {
  const { stdout } = await ran('enforce', 'harbor.example', '--org', 'Harbor', '--days', '90', '--json');
  const answer = JSON.parse(stdout);
  expect(answer).toMatchObject({ domain: 'harbor.example', days: 90, verdict: 'ready after 1 fix' });
  const [quarantine] = answer.steps;
  expect(quarantine).toMatchObject({
    step: 'quarantine',
    messages: 1_400,
    failing_messages: 140,
    newly_affected_messages: 140,
    by_decision: { ours: 0, forwarded: 0, not_ours: 0, undecided: 140 },
  });
});

it('enforce names what is wrong about a domain that is not known, and one that is none', async () => {
  const unknown = await ran('enforce', 'unknown.example', '--org', 'Harbor');
  expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining('Nothing is known of unknown.example') });
  expect(await ran('enforce', 'no domain', '--org', 'Harbor')).toMatchObject({ code: 2 });
  expect(await ran('enforce', 'harbor.example', '--org', 'Harbor', '--days', '31')).toMatchObject({ code: 2 });
});
