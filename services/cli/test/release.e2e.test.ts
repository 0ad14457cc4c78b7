import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openBlobs } from '@dmarc-ledger/blobs';
import { addMailbox, enterMessages } from '@dmarc-ledger/ledger';
import { cloneDatabase, reportMail, reportXml, type ClonedDatabase } from '@dmarc-ledger/testkit';
import { dayOf, parseId } from '@dmarc-ledger/vocabulary';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openCommandHost } from '../../../test/support/command.ts';
import { temporaryFolder } from '../../../test/support/folder.ts';
import { jsonOf } from '../../../test/support/json-of.ts';

const folder = temporaryFolder();
const host = openCommandHost();
const dataDir = join(folder.path, 'data');
let database: ClonedDatabase;

beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(async () => {
  host[Symbol.dispose]();
  await database[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

const env = () => ({ DATABASE_URL: database.url, DATA_DIR: dataDir, LOG_LEVEL: 'error' });

const json = (...args: string[]) => jsonOf(host.run([...args, '--json'], env()));

const YESTERDAY = Math.floor(Date.now() / 86_400_000 - 1) * 86_400;

/** An organization with two mails in its mailbox, which were found not to be the reporter's. */
async function givenMails(): Promise<string> {
  const orgId = parseId((await json('org', 'create', 'Organization')).id);
  if (!orgId) throw new Error('The organization has no id.');
  const blobs = await openBlobs(pathToFileURL(join(dataDir, 'blobs')).href);
  const mailboxId = await addMailbox(database, orgId, {
    host: 'imap.example',
    port: 993,
    tls: 'implicit',
    ca: null,
    username: 'reports',
    folder: 'INBOX',
    auth: 'password',
    after_intake: 'leave',
    processed_folder: 'Processed',
    refused_folder: 'Refused',
    shared: false,
    authserv_ids: ['mx.ours.example'],
    oauth: null,
    seal: () => Buffer.alloc(0),
  });
  for (const [i, domain] of ['one.example', 'two.example'].entries()) {
    const xml = reportXml({ id: domain, domain, begin: YESTERDAY, records: [{ ip: '192.0.2.1', count: 10 + i }] });
    const mail = reportMail({ xml, authenticationResults: 'mx.ours.example; dmarc=fail' });
    const message = { ...(await blobs.put(mail)), source: 'mailbox' as const, name: null, mailboxId };
    await enterMessages(database.db, orgId, [message]);
  }
  return orgId;
}

it('reports that may be forged are held, shown, and released by domain', async () => {
  const org = await givenMails();
  expect(await json('org', 'set', org, '--unauthenticated', 'hold')).toMatchObject({ unauthenticated: 'hold' });
  await json('intake', 'replay', '--org', org, '--all'); // starts what reads deliveries where nothing else does
  await expect
    .poll(async () => (await json('intake', 'list', '--org', org, '--code', 'report_held')).length, { timeout: 30_000 })
    .toBe(2);
  expect(await json('intake', 'unauthenticated', '--org', org)).toEqual([]);

  const preview = await json('intake', 'release', '--domain', 'Two.Example', '--dry-run');
  expect(preview).toMatchObject({ dry_run: true, reports: { added: 1 }, after: { messages: 11 } });
  expect(await json('intake', 'release', '--domain', 'two.example')).toMatchObject({
    dry_run: false,
    reports: { added: 1 },
    after: { messages: 11 },
  });
  expect(await json('intake', 'unauthenticated', '--org', org)).toMatchObject([
    { domain: 'two.example', day: dayOf(YESTERDAY), messages: 11, unauthenticated: 11, reports: 1, percent: 100 },
  ]);
  expect(await json('intake', 'release', '--all')).toMatchObject({ reports: { added: 1 } });
  expect(await json('intake', 'list', '--org', org, '--code', 'report_held')).toEqual([]);
  expect((await host.run(['audit', '--org', org], env())).code).toBe(0);
});

it.each([
  [['intake', 'release'], 'Say which reports: --id, --domain, --all or --imported.'],
  [['intake', 'release', '--all', '--imported'], 'Say which reports: --id, --domain, --all or --imported.'],
  [['intake', 'release', '--all', '--domain', 'a.example'], 'Say which reports: --id, --domain, --all or --imported.'],
  [['intake', 'release', '--id', 'x'], 'x is not the id of a delivery; see: dmarc-ledger intake list'],
  [['intake', 'release', '--domain', 'a/b'], 'a/b is not a domain name.'],
  [['intake', 'unauthenticated', '--days', '401'], '--days takes a whole number from 1 to 400.'],
])('%j is refused with what it takes', async (args, message) => {
  const { stderr, code } = await host.run(args, env());
  expect({ code, says: stderr.includes(message) }).toEqual({ code: 2, says: true });
});
