import { addDomain, createOrganization } from '@dmarc-ledger/ledger';
import { givenReports } from '@dmarc-ledger/testkit';
import { addDays, newId } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPagesWorld, type PagesWorld } from '../../../test/support/pages.ts';

let world: PagesWorld;
let page: Awaited<ReturnType<PagesWorld['signedIn']>>;
const today = new Date().toISOString().slice(0, 10);
const quietDays = [1, 2, 3, 4].map((days) => addDays(today, -days));
const wholeDay = (day: string) => ({ begin: `${day}T00:00:00Z`, end: `${day}T23:59:59Z` });

/** Two domains, each with mail, a wave of forged mail today, a change in the DNS, an open item and an event. */
beforeAll(async () => {
  world = await openPagesWorld();
  const { db } = world.database;
  for (const domain of ['one.example', 'two.example', 'silent.example']) await addDomain(db, world.orgId, domain, {});
  for (const [domain, count, forged] of [
    ['one.example', 30, 700],
    ['two.example', 40, 900],
  ] as const) {
    const own = { ip: '192.0.2.1', count, dkim: true };
    await givenReports(db, world.orgId, [
      ...quietDays.map((day) => ({ ...wholeDay(day), domain, records: [own] })),
      {
        ...wholeDay(today),
        domain,
        records: [own, { ip: '198.51.100.7', count: forged, spf: false, dkim: false, class: 'suspicious' as const }],
      },
    ]);
    await givenEvent(world.orgId, domain);
    await givenChange(domain);
  }
  await givenMissing('silent.example', 'dmarc');
  await givenMissing('two.example', 'spf');
  const theirs = await createOrganization(db, { name: 'Their Company' });
  await givenReports(db, theirs.id, [{ ...wholeDay(today), domain: 'theirs.example', records: [{ count: 77 }] }]);
  await givenEvent(theirs.id, 'theirs.example');
  page = await world.signedIn();
});
afterAll(async () => await world[Symbol.asyncDispose]());

async function givenEvent(orgId: string, domain: string) {
  const event = { type: 'new_source', severity: 'info', title: `Event of ${domain}`, message: '', link: '', domain };
  await world.database.db
    .insertInto('event')
    .values({ ...event, org_id: orgId, id: newId(), dedup_key: domain } as never)
    .execute();
}

async function givenChange(domain: string) {
  for (const [hours, record] of [
    [5, 'v=spf1 ~all'],
    [1, 'v=spf1 -all'],
  ] as const)
    await sql`
      insert into domain_check_change (org_id, id, domain_id, subject, at, status, details, records, before)
      select org_id, ${newId()}, id, 'spf', now() - ${hours} * interval '1 hour', 'ok', ${`Change of ${domain}`},
        ${[record]}, 'ok'
      from domain where org_id = ${world.orgId} and name = ${domain}`.execute(world.database.db);
}

async function givenMissing(domain: string, subject: string) {
  await sql`
    insert into domain_check (org_id, domain_id, subject, status, has_record, records, checked_at, changed_at)
    select org_id, id, ${subject}, 'error', false, '{}', now(), now()
    from domain where org_id = ${world.orgId} and name = ${domain}`.execute(world.database.db);
}

const filter = () => page.getByRole('textbox', { name: 'Domain' });

async function read(path: string): Promise<string> {
  const response = await page.goto(path);
  expect({ path, status: response?.status() }).toEqual({ path, status: 200 });
  return (await page.locator('main').innerText()).replaceAll(/\s+/g, ' ');
}

it('shows of a chosen domain alone its figures, days, forged mail, changes in the DNS and events', async () => {
  const text = await read('/?domain=one.example');
  expect(text).toContain('850 in the 30 days to');
  expect(text).toContain('700 forged messages');
  expect(text).toContain('Change of one.example');
  expect(text).toContain('Event of one.example');
  expect(await page.locator('main').innerHTML()).toContain('850 messages');
  expect(text).not.toContain('two.example');
  expect(text).not.toContain('silent.example');
  expect(text).not.toContain('theirs.example');
});

it('gives a chosen domain the score, the rate and the items that the overview of all gives it', async () => {
  await read('/');
  const row = page.getByRole('row', { name: /^two\.example/ });
  const [, score = '', passed = '', messages = ''] = await row.getByRole('cell').allInnerTexts();
  const text = await read('/?domain=two.example');
  expect(text).toContain(`${score.split(' ')[0]} of 100, grade`);
  expect(text).toContain(`Passed DMARC ? ${/^[\d.]+/.exec(passed)?.[0]}`);
  expect(text).toContain(`${messages} in the 30 days to`);
  expect(text).toMatch(/Open items 1 First: \S+ SPF record is missing or broken/);
});

it('lists what there is to do for all domains, as much as the figure of open items says, and whose it is', async () => {
  await read('/');
  const figure = page.locator('dt', { hasText: 'Open items' }).locator('+ dd').getByRole('link');
  const panel = page.locator('section.panel').filter({ has: page.getByRole('heading', { name: 'What to do first' }) });
  const items = (await panel.getByRole('listitem').allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '));
  expect(items).toEqual([
    'High DMARC record is missing or broken silent.example',
    expect.stringMatching(/ SPF record is missing or broken two\.example$/),
  ]);
  expect(await figure.innerText()).toBe(String(items.length));
  await panel.getByRole('link', { name: 'silent.example' }).click();
  await page.waitForURL(/\/domains\/silent\.example/);
});

it('says what the score of all domains is made of: the points that are left and those lost are 100', async () => {
  await read('/');
  const figure = page.locator('dt', { hasText: 'Score' }).locator('+ dd').first();
  const score = Number.parseInt(await figure.innerText());
  const panel = page.locator('section.panel').filter({ has: page.getByRole('heading', { name: /score comes from/ }) });
  const lost = (await panel.locator('tbody td:last-child').allInnerTexts()).map(Number);
  expect(lost).toHaveLength(4);
  const left = 100 - lost.reduce((sum, points) => sum + points, 0); // of figures with one decimal; a score is cut
  expect(left).toBeGreaterThan(score - 0.2);
  expect(left).toBeLessThan(score + 1.2);
});

it('shows deliveries and reporters only where no domain is chosen, and says so', async () => {
  expect(await read('/')).toMatch(/What arrived.*Reporters/);
  const text = await read('/?domain=one.example');
  expect(text).not.toContain('Last delivery');
  expect(text).not.toContain('All reporters');
  expect(text).toContain('What arrived and which reporters there are is shown for all domains together.');
});

it('offers the domain in its filter, and shows all again without one', async () => {
  await page.goto('/?days=7');
  await filter().fill('One.Example');
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.waitForURL(/domain=One\.Example/);
  expect(new URL(page.url()).searchParams.get('days')).toBe('7');
  expect(await filter().inputValue()).toBe('one.example');
  expect(await page.locator('main').innerText()).not.toContain('two.example');
  await filter().fill('');
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.waitForURL(/domain=(&|$)/);
  expect(await page.locator('main').innerText()).toContain('Domains, worst first');
});

it('stays with the chosen domain when an event is acknowledged', async () => {
  await page.goto('/?domain=one.example');
  await page.getByRole('button', { name: 'Acknowledge: Event of one.example' }).click();
  await page.getByText('Acknowledged by').waitFor();
  expect(new URL(page.url()).searchParams.get('domain')).toBe('one.example');
});

it('names the open items of a chosen domain without a score', async () => {
  const text = await read('/?domain=silent.example');
  expect(text).toContain('silent.example has no score yet');
  expect(text).toContain('DMARC record is missing or broken');
  expect(text).not.toContain('one.example');
});

it('answers a domain of another organization as one that does not exist', async () => {
  const [theirs, unknown] = [await read('/?domain=theirs.example'), await read('/?domain=nowhere.example')];
  expect(theirs).toContain('Nothing is known about theirs.example. Change the filter, or take it away.');
  expect(theirs.replaceAll('theirs.example', 'nowhere.example')).toBe(unknown);
  expect(unknown).not.toContain('one.example');
});

it('takes a domain that is no domain name for none', async () => {
  expect(await read('/?domain=no%20name')).toContain('Domains, worst first');
});
