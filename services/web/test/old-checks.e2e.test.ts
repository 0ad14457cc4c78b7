import { addDomain, removeDomain } from '@dmarc-ledger/ledger';
import { givenReports } from '@dmarc-ledger/testkit';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPagesWorld, type PagesWorld } from '../../../test/support/pages.ts';

let world: PagesWorld;
let page: Awaited<ReturnType<PagesWorld['signedIn']>>;
const today = new Date().toISOString().slice(0, 10);
const DOMAIN = 'removed.example';

beforeAll(async () => {
  world = await openPagesWorld();
  const { db } = world.database;
  const { id } = await addDomain(db, world.orgId, DOMAIN, {});
  await givenReports(db, world.orgId, [
    {
      begin: `${today}T00:00:00Z`,
      end: `${today}T23:59:59Z`,
      domain: DOMAIN,
      policy: { p: 'reject' },
      records: [{ ip: '192.0.2.9', count: 4 }],
    },
  ]);
  await sql`
    insert into domain_check (org_id, domain_id, subject, status, has_record, details, checked_at, changed_at)
    select ${world.orgId}, ${id}, subject, 'error', false, details, now() - interval '8 days', now() - interval '8 days'
    from (values ('dmarc', 'No DMARC record is published.'), ('spf', 'No SPF record is published.'))
      as c (subject, details)`.execute(db);
  const server = { server: 'ns1.example', outcome: 'absent', records: [], alias: 'hosted.test' };
  const body = JSON.stringify({ dmarc: [{ name: `_dmarc.${DOMAIN}`, servers: [server] }] });
  await sql`
    insert into domain_evidence (org_id, domain_id, subject, body, read_at)
    values (${world.orgId}, ${id}, 'name_servers', ${body}::jsonb, now() - interval '8 days')`.execute(db);
  await removeDomain(world.database, world.orgId, DOMAIN);
  page = await world.signedIn();
});
afterAll(() => world[Symbol.asyncDispose]());

async function shownAt(path: string): Promise<string> {
  await page.goto(`/domains/${DOMAIN}${path}`);
  return (await page.locator('main').innerText()).replaceAll(/\s+/g, ' ');
}

it.each(['dmarc', 'spf'])('offers no %s record to publish where none was looked for in a week', async (protocol) => {
  const text = await shownAt(`/dns/${protocol}`);
  expect(text).not.toContain('To publish');
  expect(text).toContain('What was found then may no longer be so.');
  expect(text).toContain('Not known. Look there before you publish something');
});

it('says nothing of an alias that was at the name of the record then', async () => {
  expect(await shownAt('/enforce')).not.toContain('alias');
});

it('calls no sender authorised or missing by a record that it does not know', async () => {
  const text = await shownAt('/spf');
  expect(text).toContain('It was not checked in the last week.');
  expect(text).toContain('Not known: no record of the last week was read whole.');
});
