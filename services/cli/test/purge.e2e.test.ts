import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { reportXml, cloneDatabase, type ClonedDatabase } from '@dmarc-ledger/testkit';
import { parseId } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openCommandHost } from '../../../test/support/command.ts';
import { temporaryFolder } from '../../../test/support/folder.ts';
import { jsonOf } from '../../../test/support/json-of.ts';

const folder = temporaryFolder();
const host = openCommandHost();
let database: ClonedDatabase;
let organizations = 0;

beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
  host[Symbol.dispose]();
  folder[Symbol.dispose]();
});

const env = (more: { [name: string]: string } = {}) => ({
  DATABASE_URL: database.url,
  DATA_DIR: join(folder.path, 'data'),
  ...more,
});

const json = (args: string[], more = {}) => jsonOf(host.run([...args, '--json'], env(more)));

/** An organization with this many reports, of which `old` arrived long ago. */
async function givenReports(count: number, old: number): Promise<string> {
  organizations += 1;
  const { id } = await json(['org', 'create', `Organization ${organizations}`]);
  const orgId = parseId(id)!;
  const place = join(folder.path, `reports ${organizations}`);
  mkdirSync(place);
  for (let i = 0; i < count; i += 1)
    writeFileSync(join(place, `${i}.xml`), reportXml({ id: `r-${organizations}-${i}`, domain: `d${i % 3}.example` }));
  expect(await json(['ingest', place, '--org', id])).toMatchObject({ stored: count });
  const past = sql<Date>`now() - interval '100 days'`;
  const { db } = database;
  const oldest = db.selectFrom('report_revision').select('message_id').where('org_id', '=', orgId);
  await db
    .updateTable('raw_message')
    .set({ received_at: past })
    .where('org_id', '=', orgId)
    .where('id', 'in', oldest.orderBy('message_id').limit(old))
    .execute();
  await sql`update report r set received_at = m.received_at from report_revision v, raw_message m
    where r.org_id = ${orgId} and v.org_id = r.org_id and v.report_id = r.id and m.org_id = r.org_id and m.id = v.message_id`.execute(
    db,
  );
  return id;
}

it('prints beforehand what it would delete, deletes just that, and leaves no drift', async () => {
  const org = await givenReports(9, 4);
  const purge = (...more: string[]) => json(['purge', '--older-than', '90', '--org', org, ...more]);
  const foretold = await purge('--dry-run');
  expect(foretold).toMatchObject({
    dry_run: true,
    organizations: [{ reports: 4, records: 4, messages: 4, deliveries: 4, raw: { deliveries: 4 } }],
  });
  expect(await purge('--dry-run')).toEqual(foretold);
  expect(await purge('--raw-only', '--dry-run')).toMatchObject({
    organizations: [{ reports: 0, deliveries: 0, raw: foretold.organizations[0].raw }],
  });
  expect(await purge('--raw-only')).toMatchObject({ organizations: [{ raw: foretold.organizations[0].raw }] });
  const shown = await json(['intake', 'list', '--org', org]);
  const purged = shown.filter(({ bytes }: { bytes: string }) => bytes === 'bytes_purged');
  expect(purged).toHaveLength(4);
  expect(await json(['intake', 'show', purged[0].id])).toMatchObject({ state: 'stored', bytes: 'bytes_purged' });
  expect(await json(['audit', '--org', org])).toMatchObject([{ drift: 0, raw: { checked: 5, missing: 0 } }]);
  expect(await purge()).toMatchObject({
    organizations: [{ reports: 4, deliveries: 4, raw: { deliveries: 0, bytes: 0 } }],
  });
  expect(await json(['audit', '--org', org])).toMatchObject([{ drift: 0, raw: { checked: 5, missing: 0 } }]);
  expect((await host.run(['purge', '--older-than', '0'], env())).code).toBe(2);
});

it('removes an organization only when that is said twice, and then it is gone for its users', async () => {
  const org = await givenReports(2, 0);
  expect((await host.run(['org', 'remove', org], env())).code).toBe(2);
  expect(await json(['org', 'remove', org, '--yes'])).toEqual({ id: org, removed: true });
  const listed = await json(['org', 'list']);
  expect(listed.find(({ id }: { id: string }) => id === org)).toMatchObject({ suspended: true, removed: true });
  expect((await host.run(['org', 'set', org, '--suspended', 'no'], env())).code).toBe(1);
});

it('seals the secrets of mailboxes with the newer key', async () => {
  const [older, newer] = ['older'.repeat(10), 'newer'.repeat(10)];
  const { id: org } = await json(['org', 'create', 'Mailbox owner']);
  const where = ['--org', org, '--host', 'imap.example', '--user', 'u', '--password-env', 'PASSWORD'];
  await json(['mailbox', 'add', ...where], { PASSWORD: 'p', SECRET_KEY: older });
  const both = { SECRET_KEY: `${newer},${older}` };
  expect(await json(['secret', 'reseal'], both)).toEqual({ mailboxes: 1, webhooks: 0, resealed: 1, failed: [] });
  expect(await json(['secret', 'reseal'], { SECRET_KEY: newer })).toEqual({
    mailboxes: 1,
    webhooks: 0,
    resealed: 0,
    failed: [],
  });
  const { code, stdout } = await host.run(['secret', 'reseal', '--json'], env({ SECRET_KEY: older }));
  expect(code).toBe(3);
  expect(JSON.parse(stdout)).toMatchObject({ failed: [{ code: 'secret_key_unknown' }] });
});
