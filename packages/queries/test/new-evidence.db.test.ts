import { createOrganization, decideSender } from '@dmarc-ledger/ledger';
import { cloneDatabase, givenReports, type ClonedDatabase } from '@dmarc-ledger/testkit';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findMailSinceDecision } from '../src/senders/mail-since-decision.ts';

const TODAY = '2026-03-31';
let database: ClonedDatabase;

beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());

it.each([
  ['2026-03-02', 7],
  ['2026-03-01', 0],
])('counts what a decided sender sent within 30 days, today among them: mail of %s', async (day, messages) => {
  const { db } = database;
  const { id: orgId } = await createOrganization(db, { name: day });
  const about = { begin: `${day}T00:00:00Z`, end: `${day}T23:59:59Z`, domain: 'example.com' };
  await givenReports(db, orgId, [{ ...about, records: [{ ip: '192.0.2.1', count: 7 }] }]);
  const sender = { domain: 'example.com', sender: '192.0.2.0/24' };
  await decideSender(db, orgId, sender, { decision: 'not_ours', owner: '', note: '', by: 'cli' });
  await sql`update sender_decision set decided_at = '2026-01-01'`.execute(db);
  const { id } = await db.selectFrom('domain').select('id').where('org_id', '=', orgId).executeTakeFirstOrThrow();
  const asked = { domain_id: id, sender: sender.sender, decided_at: new Date('2026-01-01T00:00:00Z') };
  expect(await findMailSinceDecision(db, orgId, [asked], TODAY)).toMatchObject([{ messages }]);
});
