import { findKeySenders } from '@dmarc-ledger/facts';
import { startOfDay } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openEventFixture, type EventFixture } from './event-fixture.ts';

const TODAY = '2026-03-10';
const domain = 'shop.example';
const own = '192.0.2.9';
const service = '198.51.100.4';
let fixture: EventFixture;

beforeAll(async () => {
  fixture = await openEventFixture();
  fixture.itIs(TODAY, 5);
  const signed = { dkim: 'pass' } as const;
  await fixture.arrive({
    id: 'one',
    domain,
    begin: startOfDay('2026-03-09'),
    records: [
      { ip: own, count: 40, selector: 'mail', ...signed, spf: 'pass' },
      { ip: service, count: 1, selector: 'mail', ...signed },
      { ip: service, count: 1, selector: 'crm', ...signed },
    ],
  });
});
afterAll(() => fixture[Symbol.asyncDispose]());

async function holders(slug: string) {
  const { db } = fixture.database;
  await sql`update source_total set service_slug = ${slug} where source_ip = ${service}`.execute(db);
  const { id: domainId } = await db.selectFrom('domain').select('id').executeTakeFirstOrThrow();
  const keys = ['mail', 'crm'].map((selector) => ({ domain, selector }));
  const found = await findKeySenders(db, { orgId: fixture.orgId, domainId, today: TODAY }, keys);
  return found.map((senders) => senders.flatMap(({ sender, mayHoldKey }) => (mayHoldKey ? [sender] : [])));
}

it('a key is not of a mailbox provider that forwarded mail signed with it', async () => {
  expect(await holders('google-workspace')).toEqual([['192.0.2.0/24'], []]);
});

it('a key may be of a service that sends itself', async () => {
  expect(await holders('sendgrid')).toEqual([['192.0.2.0/24', 'sendgrid'], ['sendgrid']]);
});

it('a key is of a mailbox provider whose mail passes SPF as the domain', async () => {
  await fixture.arrive({
    id: 'two',
    domain,
    begin: startOfDay('2026-03-09'),
    records: [{ ip: service, count: 9, selector: 'crm', dkim: 'pass', spf: 'pass' }],
  });
  expect(await holders('google-workspace')).toEqual([['192.0.2.0/24'], ['google-workspace']]);
});
