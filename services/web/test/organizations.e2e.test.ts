import { readFileSync } from 'node:fs';
import { addUser, createOrganization, removeUser } from '@dmarc-ledger/ledger';
import { givenReports } from '@dmarc-ledger/testkit';
import { idText, pathIn } from '@dmarc-ledger/vocabulary';
import { actions } from '@dmarc-ledger/web';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPagesWorld, type PagesWorld } from '../../../test/support/pages.ts';

let world: PagesWorld;
const today = new Date().toISOString().slice(0, 10);
const about = { begin: `${today}T00:00:00Z`, end: `${today}T23:59:59Z` };

beforeAll(async () => {
  world = await openPagesWorld();
});
afterAll(async () => await world[Symbol.asyncDispose]());

it('lists the organizations of a person with their figures, those that need attention first, and no others', async () => {
  const { db } = world.database;
  const [calm, ailing, uploads, strangers] = await Promise.all(
    ['Calm Ltd', 'Ailing Ltd', 'Uploads Ltd', 'Strangers Ltd'].map((name) => createOrganization(db, { name })),
  );
  const anna = 'anna@example.com';
  await addUser(db, calm?.id ?? '', { email: anna, role: 'viewer' });
  await addUser(db, uploads?.id ?? '', { email: anna, role: 'integration' });
  const good = { ip: '192.0.2.1', count: 1_200, dkim: true };
  await givenReports(db, calm?.id ?? '', [{ ...about, domain: 'calm.example', records: [good] }]);
  await givenReports(db, ailing?.id ?? '', [
    { ...about, domain: 'ailing.example', records: [good, { ip: '192.0.2.2', count: 800, dkim: false, spf: false }] },
  ]);
  for (const org of [uploads, strangers])
    await givenReports(db, org?.id ?? '', [
      { ...about, domain: 'hidden.example', records: [{ ...good, count: 77_777 }] },
    ]);

  const page = await world.signedIn(anna, 'analyst', ailing?.id);
  await page.goto('/orgs');
  const rows = (await page.locator('tbody tr').allTextContents()).map((row) => row.replaceAll(/\s+/g, ' '));
  expect(rows).toHaveLength(3);
  expect(rows[0]).toMatch(/^Ailing Ltd.*2,000.*60\.0 %/);
  expect(rows[1]).toMatch(/^Calm Ltd.*1,200.*100 %/);
  expect(rows[2]).toMatch(/^Uploads Ltd.*not shown/);
  expect(await page.textContent('main')).not.toMatch(/Strangers|77,777/);
  await page.getByRole('button', { name: 'Calm Ltd' }).click();
  await page.waitForURL(`${world.origin}/`);
  expect(await page.textContent('main')).toContain('1,200');
});

it('shows the worst of more than a hundred organizations with its figures, wherever its name stands', async () => {
  const { db } = world.database;
  const bea = 'bea@example.com';
  const names = Array.from({ length: 105 }, (_, i) => `Customer ${String(i).padStart(3, '0')}`);
  for (const name of names)
    await addUser(db, (await createOrganization(db, { name })).id, { email: bea, role: 'viewer' });
  const { id } = await createOrganization(db, { name: 'Zebra Ltd' });
  await givenReports(db, id, [
    { ...about, domain: 'zebra.example', records: [{ ip: '192.0.2.9', count: 500, dkim: false, spf: false }] },
  ]);
  await sql`insert into event (org_id, id, link, domain, type, severity, title, message, dedup_key)
    values (${id}, gen_random_uuid(), '/', 'zebra.example', 'malicious_source', 'critical', 'Malicious source', 'It sends.', 'one')`.execute(
    db,
  );

  const page = await world.signedIn(bea, 'analyst', id);
  await page.goto('/orgs');
  const rows = (await page.locator('tbody tr').allTextContents()).map((row) => row.replaceAll(/\s+/g, ' '));
  expect(rows).toHaveLength(106);
  expect(rows[0]).toMatch(/^Zebra Ltd.*500/);
  expect(rows.filter((row) => row.includes('not shown'))).toHaveLength(6);

  const list = async () => await page.locator('main').innerText();
  await page.getByLabel('Name').fill(' CUSTOMER 10');
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.waitForURL(/search=/);
  expect(await list()).toContain('5 of 106');
  expect(await list()).not.toContain('not shown'); // few enough for figures
  const saving = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Save as CSV' }).click();
  const [columns, ...lines] = readFileSync(await (await saving).path(), 'utf8')
    .trim()
    .split('\r\n');
  expect(columns).toBe(
    'organization,role,total_messages,compliance_rate,domains,domains_needing_attention,urgent_items,soon_items,later_items',
  );
  expect(lines.toSorted()).toEqual(
    ['100', '101', '102', '103', '104'].map((n) => expect.stringMatching(new RegExp(`^Customer ${n},viewer,0,,0,0,`))),
  );
  await page.goto('/orgs?search=nothing+like+this');
  expect(await list()).toContain('No organization of yours has this in its name');
});

it('a form changes only the organization whose page it is on, whatever was chosen or withdrawn meanwhile', async () => {
  const { db } = world.database;
  const { id: mine } = await createOrganization(db, { name: 'Mine Ltd' });
  const { id: customer } = await createOrganization(db, { name: 'Customer Ltd' });
  const cleo = 'cleo@example.com';
  await addUser(db, mine, { email: cleo, role: 'owner' });
  await addUser(db, customer, { email: 'dora@example.com', role: 'owner' });
  const keys = async () =>
    (await db.selectFrom('api_key').select(['org_id', 'name']).execute()).map(({ name }) => name);

  const page = await world.signedIn(cleo, 'owner', customer);
  const choose = async (name: string) => {
    await page.goto('/orgs');
    await page.getByRole('button', { name }).click();
    await page.waitForURL(`${world.origin}/`);
  };
  await choose('Customer Ltd');
  const create = async (name: string) => {
    await tab.getByLabel('What it is for').fill(name);
    await tab.getByRole('button', { name: 'Make the key' }).click();
    await tab.waitForLoadState();
    return await tab.textContent('main');
  };
  const tab = await page.context().newPage();
  await tab.goto('/settings/api-keys');
  await choose('Mine Ltd');
  expect(await create('in another tab')).toContain('Customer Ltd');
  expect(await keys()).toEqual([]);

  await choose('Customer Ltd');
  await tab.goto('/settings/api-keys');
  await removeUser(db, customer, cleo);
  await create('after the removal');
  expect(await keys()).toEqual([]);
  await tab.goto('/settings/api-keys');
  expect(await create('in its own')).not.toContain('Customer Ltd');
  expect(await keys()).toEqual(['in its own']);

  const cookie = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
  for (const path of [...actions.map((action) => action.path.replace(/:\w+/, 'x')), '/settings/ingest/upload']) {
    const headers = { cookie, origin: world.origin };
    const posted = { method: 'POST', headers, body: new URLSearchParams(), redirect: 'manual' } as const;
    for (const query of [`?org=${idText(customer)}`, '?org=', '?org=x', '']) {
      const { status } = await fetch(`${world.origin}${path}${query}`, posted);
      expect([path, query, status]).toEqual([path, query, 409]);
    }
  }
});

it('a session stays in its organization when another one, first by name, takes the person in', async () => {
  const { db } = world.database;
  const { id: first } = await createOrganization(db, { name: 'Zenith Ltd' });
  const elsa = 'elsa@example.com';
  const page = await world.signedIn(elsa, 'viewer', first);
  await addUser(db, (await createOrganization(db, { name: 'Aardvark Ltd' })).id, { email: elsa, role: 'viewer' });
  await page.goto('/domains');
  expect(await page.getByRole('banner').textContent()).toContain('Zenith Ltd');
  await removeUser(db, first, elsa);
  await page.goto('/domains');
  expect(await page.getByRole('banner').textContent()).toContain('Aardvark Ltd');
});

it('every form on a page of an organization names it, but for those about the person', async () => {
  const page = await world.signedIn();
  const own = new RegExp(`\\?org=${idText(world.orgId)}$`);
  for (const path of ['/settings/api-keys', '/settings/people', '/settings/ingest', '/digest', '/domains/add']) {
    await page.goto(path);
    const forms = await page
      .locator('form[method=post]')
      .evaluateAll((all) => all.map((each) => String(each.getAttribute('action'))));
    const others = forms.filter((action) => action !== '/sign-out');
    expect([path, others.length > 0]).toEqual([path, true]);
    for (const action of others) expect(action).toMatch(own);
  }
});

describe('a link of a notification', () => {
  const given = async (email: string) => {
    const { db } = world.database;
    const [first, second, strangers] = await Promise.all(
      ['First', 'Second', 'Strangers'].map(
        async (name) => await createOrganization(db, { name: `${name} of ${email}` }),
      ),
    );
    const page = await world.signedIn(email, 'owner', first!.id);
    await addUser(db, second!.id, { email, role: 'owner' });
    return { page, first: first!.id, second: second!.id, strangers: strangers!.id };
  };

  it('about another organization of the reader asks to change to it, and goes on to the page', async () => {
    const { page, first, second } = await given('fred@example.com');
    for (const path of ['/reports?domain=shop.example', '/settings/api-keys'])
      for (const [org, name] of [
        [second, 'Second of fred@example.com'],
        [first, 'First of fred@example.com'],
      ] as const) {
        const link = pathIn(org, path);
        await page.goto(link);
        expect(await page.textContent('main h1')).toBe(`That page is of ${name}`);
        await page.getByRole('button', { name: `Change to ${name}` }).click();
        await page.waitForURL(`${world.origin}${link}`);
        expect(await page.getByRole('banner').textContent()).toContain(name);
        expect(await page.textContent('main h1')).not.toContain('That page is of');
        expect(
          await page.locator('input[name=org]').evaluateAll((all) => all.map((one) => one.getAttribute('value'))),
        ).toEqual(path.startsWith('/reports') ? [''] : []);
      }
  });

  it('about an organization of others is answered like a page that does not exist', async () => {
    const { page, strangers } = await given('gina@example.com');
    for (const path of ['/', '/domains/shop.example', '/settings/installation']) {
      const answers = [];
      for (const address of [pathIn(strangers, path), '/no-such-page']) {
        const response = await page.goto(address);
        answers.push([response?.status(), await page.textContent('main section')]);
      }
      expect(answers[0]).toEqual(answers[1]);
      expect(answers[0]?.[0]).toBe(404);
    }
  });

  it('leads nowhere else once the organization is changed', async () => {
    const { page, second } = await given('hugo@example.com');
    const cookie = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
    for (const [next, location] of [
      ['https://evil.example/', '/'],
      ['//evil.example', '/'],
      ['/domains?days=7', '/domains?days=7'],
    ]) {
      const response = await fetch(`${world.origin}/orgs/${idText(second)}`, {
        method: 'POST',
        headers: { cookie, origin: world.origin },
        body: new URLSearchParams({ next: next! }),
        redirect: 'manual',
      });
      expect([response.status, response.headers.get('location')]).toEqual([303, location]);
    }
  });
});
