import { addDomain, createOrganization } from '@dmarc-ledger/ledger';
import { givenReports } from '@dmarc-ledger/testkit';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPagesWorld, type PagesWorld } from '../../../test/support/pages.ts';
import { signInCookie } from '../../../test/support/sign-in-cookie.ts';

let world: PagesWorld;
let page: Awaited<ReturnType<PagesWorld['signedIn']>>;
const today = new Date().toISOString().slice(0, 10);
const REJECT: Policy = { p: 'reject', pct: 100, t: false };

beforeAll(async () => {
  world = await openPagesWorld();
  const { db } = world.database;
  for (const domain of ['silent.example', 'bare.example', 'parked.example', 'unseen.example'])
    await addDomain(db, world.orgId, domain, {});
  await givenReports(db, world.orgId, [
    {
      begin: `${today}T00:00:00Z`,
      end: `${today}T23:59:59Z`,
      domain: 'parked.example',
      reporter: 'google.com',
      records: [{ ip: '192.0.2.9', count: 4, spf: false, dkim: false }],
    },
  ]);
  await given('silent.example', 'dmarc', { status: 'ok', hasRecord: true, policy: REJECT });
  await given('silent.example', 'spf', { status: 'error', hasRecord: false });
  await given('bare.example', 'dmarc', { status: 'error', hasRecord: false });
  await given('parked.example', 'dmarc', { status: 'ok', hasRecord: true, policy: REJECT });
  await given('parked.example', 'spf', { status: 'ok', hasRecord: true, records: ['v=spf1 -all'] });
  page = await world.signedIn();
});
afterAll(() => world[Symbol.asyncDispose]());

interface Policy {
  p: string;
  sp?: string;
  pct: number;
  t: boolean;
}
interface Check {
  status: string;
  hasRecord: boolean;
  policy?: Policy;
  records?: string[];
  details?: string;
}

async function given(
  domain: string,
  subject: string,
  { status, hasRecord, policy, records = [], details = '' }: Check,
) {
  const read = policy && new Date();
  await sql`
    insert into domain_check (org_id, domain_id, subject, status, has_record, records, details, policy, policy_read_at, checked_at, changed_at)
    select org_id, id, ${subject}, ${status}, ${hasRecord}, ${records}, ${details}, ${policy && JSON.stringify(policy)}::jsonb, ${read}, now(), now()
    from domain where org_id = ${world.orgId} and name = ${domain}`.execute(world.database.db);
}

const rowsOf = async (path: string) => {
  await page.goto(path);
  const texts = await page.locator('tbody tr').allInnerTexts();
  return texts.map((text) => text.replaceAll(/\s+/g, ' ').trim());
};

it('lists the policy and the open items of a domain that no report is about', async () => {
  const rows = await rowsOf('/domains?sort_by=domain');
  expect(rows).toEqual([
    expect.stringMatching(/^bare\.example no reports no record .*DMARC record is missing or broken$/),
    expect.stringMatching(/^parked\.example /),
    expect.stringMatching(/^silent\.example no reports reject .*SPF record is missing or broken$/),
    expect.stringMatching(/^unseen\.example no reports Pending$/),
  ]);
  expect((await rowsOf('/domains?policy=reject')).map((row) => row.split(' ')[0])).toEqual([
    'parked.example',
    'silent.example',
  ]);
  const file = await page.request.get('/domains?format=csv&sort_by=domain');
  const csv = (await file.text()).split('\r\n').map((line) => line.split(','));
  const column = (name: string) => csv.slice(1, 5).map((cells) => cells[csv[0]!.indexOf(name)]);
  expect(column('policy')).toEqual(['', 'reject', 'reject', '']);
  expect(column('open_items')).toEqual(['1', '0', '1', '0']);
});

it('leads from the domains that need somebody to these domains', async () => {
  await page.goto('/');
  const figure = page.locator('dt', { hasText: 'Domains that need you' }).locator('+ dd').getByRole('link');
  const count = Number(await figure.innerText());
  await figure.click();
  await page.waitForURL(/needs=1/);
  expect(await page.locator('caption').innerText()).toBe(`${count + 2} of 4 domains, 2 of them without a score`);
  expect(await page.getByLabel('Work').inputValue()).toBe('1');
});

it('names those with open items on the overview', async () => {
  await page.goto('/');
  const text = (await page.locator('main').innerText()).replaceAll(/\s+/g, ' ');
  expect(text).toContain('2 domains without a score have open items: bare.example, silent.example.');
});

it('shows on the page of the domain what the DNS says of its policy', async () => {
  await page.goto('/domains/silent.example');
  const text = (await page.locator('main').innerText()).replaceAll(/\s+/g, ' ');
  expect(text).toMatch(/Policy[^.]*? reject /);
  expect(text).toContain('The policy is reject: there is nothing stricter.');
  expect(text).toContain('No score before the first report.');
});

it.each<[string, Policy, string]>([
  ['below.example', { ...REJECT, sp: 'none' }, 'The policy is reject, and none for names below the domain.'],
  ['testing.example', { ...REJECT, t: true }, 'The policy is reject, and is not fully applied yet.'],
  ['tenth.example', { ...REJECT, pct: 10 }, 'The policy is reject, and is not fully applied yet.'],
])('says that %s may still be stricter, which no report is about', async (domain, policy, expected) => {
  await addDomain(world.database.db, world.orgId, domain, {});
  await given(domain, 'dmarc', { status: 'warning', hasRecord: true, policy });
  await page.goto(`/domains/${domain}`);
  expect(await page.locator('main').innerText()).toContain(expected);
});

it('says first that no valid record stands where it is broken, whatever the reports say', async () => {
  await givenReports(world.database.db, world.orgId, [
    {
      begin: `${today}T00:00:00Z`,
      end: `${today}T23:59:59Z`,
      domain: 'double.example',
      policy: { p: 'reject' },
      records: [{ ip: '192.0.2.9', count: 4 }],
    },
  ]);
  const details = '2 DMARC records are published; receivers ignore all of them.';
  await given('double.example', 'dmarc', { status: 'error', hasRecord: true, records: ['one', 'two'], details });
  await page.goto('/domains/double.example');
  const panel = page.locator('section', { has: page.getByRole('heading', { name: /^May the policy be stricter/ }) });
  const text = await panel.innerText();
  expect(text).toContain('No valid record is published.');
  expect(text).toContain(details);
});

it('begins the page of a domain without a record with that, whatever its reports say', async () => {
  await page.goto('/domains/bare.example');
  expect(await page.getByRole('heading', { level: 2 }).first().innerText()).toBe(
    'No DMARC record is published, so receivers apply no policy',
  );
});

it('warns of a domain whose reports may not be sent here, although its record is right', async () => {
  const { db } = world.database;
  const facts = JSON.stringify({ permissionMissing: 'silent.example._report._dmarc.ledger.example' });
  await sql`update domain_check set facts = ${facts}::jsonb where subject = 'dmarc'
    and domain_id = (select id from domain where name = 'silent.example')`.execute(db);
  await page.goto('/domains/silent.example');
  expect(await page.locator('main').innerText()).toMatch(
    /Reporters may not send reports here\.\s+Publish a TXT record v=DMARC1 at silent\.example\._report\._dmarc\.ledger\.example/,
  );
  const rows = await rowsOf('/domains?search=silent');
  expect(rows).toEqual([expect.stringContaining('but reporters may not send here')]);
});

it('says where the record of a domain can be changed whose name for it is an alias', async () => {
  const { db } = world.database;
  const server = { server: 'ns1.example', outcome: 'absent', records: [], alias: 'bare.example.hosted.test' };
  const body = JSON.stringify({ dmarc: [{ name: '_dmarc.bare.example', servers: [server] }] });
  await sql`insert into domain_evidence (org_id, domain_id, subject, body, read_at)
    select org_id, id, 'name_servers', ${body}::jsonb, now() from domain where name = 'bare.example'`.execute(db);
  for (const path of ['/domains/bare.example/dns/dmarc', '/domains/bare.example/enforce']) {
    await page.goto(path);
    expect(await page.locator('main').innerText()).toContain(
      '_dmarc.bare.example is an alias (CNAME) of bare.example.hosted.test, and no record can stand beside an alias',
    );
  }
});

it('shows no points as lost where a domain sends no mail and has all of it rejected', async () => {
  await page.goto('/domains/parked.example');
  const table = page.getByRole('table', { name: 'The part that costs most stands first' });
  const lost = await table.locator('tbody tr td:last-child').allInnerTexts();
  expect(lost).toEqual(['0.0', '0.0', '0.0', '0.0']);
  expect(await page.locator('main').innerText()).toContain('The domain sends no mail and has all of it rejected');
});

it('shows no score and no rate, instead of 0, where all reports are dated after today', async () => {
  const { db } = world.database;
  const ahead = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10);
  await givenReports(db, world.orgId, [
    {
      begin: `${ahead}T00:00:00Z`,
      end: `${ahead}T23:59:59Z`,
      domain: 'ahead.example',
      records: [{ ip: '192.0.2.9', count: 40, dkim: true }],
    },
  ]);
  await page.goto('/domains/ahead.example');
  const text = (await page.locator('main').innerText()).replaceAll(/\s+/g, ' ');
  expect(text).toContain('Reports arrive, but they are dated after today.');
  expect(text).toMatch(/Score .{0,3}none yet Passed DMARC .{0,3}no mail Messages .{0,3}0 Policy/);
  expect(text).toContain('Last report dated after today');
  expect(text).toContain('No score yet: every report is dated after today, and counts once its day has come.');
});

it('leads from the messages of a score to the reports of its days alone', async () => {
  const { db } = world.database;
  const on = (day: string, count: number) => ({
    begin: `${day}T00:00:00Z`,
    end: `${day}T23:59:59Z`,
    domain: 'windowed.example',
    records: [{ ip: '192.0.2.9', count, dkim: true }],
  });
  await givenReports(db, world.orgId, [on('2026-01-01', 1_000), on('2026-03-02', 20), on('2026-03-31', 3)]);
  await page.goto('/domains/windowed.example');
  await page.locator('main').getByRole('link', { name: '23', exact: true }).click();
  await page.waitForURL(/\/reports/);
  const messages = await page.locator('tbody tr td:nth-child(4)').allInnerTexts();
  expect(messages).toEqual(['3', '20']);
});

it('lists every monitored domain, however many there are, and says where a list ends before the last one', async () => {
  const { db } = world.database;
  const { id: org } = await createOrganization(db, { name: 'Many Ltd' });
  await sql`
    insert into domain (org_id, id, name, source)
    select ${org}, gen_random_uuid(), 'd' || lpad(n::text, 4, '0') || '.example', 'manual'
    from generate_series(1, 2005) n`.execute(db);
  const cookie = await signInCookie(await world.linkFor('many@example.com', 'analyst', org));
  const read = async (path: string) => await (await fetch(`${world.origin}${path}`, { headers: { cookie } })).text();
  const [, ...lines] = (await read('/domains?format=csv')).trim().split('\r\n');
  expect(lines).toHaveLength(2_005);
  expect(lines.at(-1)).toMatch(/^d2005\.example,/);
  expect(await read('/enforcement')).toContain('At most 1,000 domains are shown, the first by name.');
});

it('says of a domain that is not monitored any more that its reports count, and how to monitor it', async () => {
  const { db } = world.database;
  await db.updateTable('domain').set({ monitored: false }).where('name', '=', 'windowed.example').execute();
  await page.goto('/domains?sort_by=domain');
  await page.locator('main').getByRole('link', { name: 'windowed.example' }).click();
  const said = await page.locator('main').innerText();
  expect(said).toContain('Its reports count, but its DNS records are not checked');
  expect(said).toContain('A mailbox that organizations share brings only reports about domains that people monitor');
  await page.getByRole('link', { name: 'Monitor it' }).click();
  expect(await page.getByLabel('Domain').inputValue()).toBe('windowed.example');
  const other = await page.goto('/domains/nobody.example');
  expect(other?.status()).toBe(404);
});
