import { givenReports } from '@dmarc-ledger/testkit';
import { addDays, dayOf } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPagesWorld, type PagesWorld } from '../../../test/support/pages.ts';

const MARKUP = `"><img src=x onerror="globalThis.pwned=1"><script>globalThis.pwned=1</script>`;
const today = dayOf(Date.now() / 1_000);
const yesterday = addDays(today, -1);
let world: PagesWorld;

beforeAll(async () => {
  world = await openPagesWorld();
  const { db } = world.database;
  await givenReports(db, world.orgId, [
    {
      domain: 'example.com',
      begin: `${yesterday}T00:00:00Z`,
      end: `${yesterday}T23:59:59Z`,
      records: [
        { ip: '198.51.100.7', count: 900, spf: false },
        { ip: '192.0.2.1', count: 80, dkim: false, spf: false, class: 'suspicious' },
        { ip: '203.0.113.9', count: 7, dkim: false, spf: false, class: 'needs_review' },
      ],
    },
  ]);
  await sql`update source_total set service_slug = 'sendgrid' where org_id = ${world.orgId} and source_ip = '198.51.100.7'`.execute(
    db,
  );
});
afterAll(async () => await world[Symbol.asyncDispose]());

it('an owner decides about each sender: one click as suggested, then with an owner and a note, then takes it back', async () => {
  const page = await world.signedIn();
  await page.goto('/senders?domain=example.com');
  const inventory = page.locator('#inventory');
  expect(await inventory.locator('tbody tr').count()).toBe(3);
  expect(await inventory.getByText('Not decided').count()).toBe(3);

  await inventory.getByRole('button', { name: 'Not ours: 192.0.2.0/24 for example.com' }).click();
  await page.waitForURL('**/senders?domain=example.com');
  const stranger = inventory.getByRole('row').filter({ hasText: '192.0.2.0/24' });
  expect(await stranger.textContent()).toMatch(/Not ours.*by owner@example\.com on/);

  await inventory.getByRole('link', { name: 'Twilio SendGrid', exact: true }).click();
  expect(await page.getByText('Suggested: Ours.').count()).toBe(1);
  await page.getByLabel('Owner').fill(MARKUP);
  await page.getByLabel('Note').fill(MARKUP);
  await page.getByRole('button', { name: 'Decide' }).click();
  await page.waitForURL('**/senders/sender?**');
  expect(await page.locator('.panel').nth(1).textContent()).toContain(MARKUP);
  expect(await page.evaluate('globalThis.pwned')).toBeUndefined();

  await page.getByLabel('This sender is').selectOption('not_ours');
  await page.getByRole('button', { name: 'Decide' }).click();
  await page.waitForURL('**/senders/sender?**');
  expect(await page.getByText('900 messages with an aligned DKIM pass.').count()).toBe(0);
  await sql`update sender_decision set decided_at = now() - interval '3 days' where sender = 'sendgrid'`.execute(
    world.database.db,
  );
  await page.reload();
  expect(await page.getByText('900 messages with an aligned DKIM pass.').count()).toBe(1);

  await page.getByLabel('This sender is').selectOption('undecided');
  await page.getByRole('button', { name: 'Decide' }).click();
  await page.waitForURL('**/senders/sender?**');
  const history = page.getByRole('region', { name: 'Every change, newest first' }).locator('tbody tr');
  expect(await history.count()).toBe(3);
  expect(await history.first().textContent()).toContain('withdrawn');
  expect(await page.locator('img').count()).toBe(0);
});

it('a sender shows the addresses that its figures are made of, each a way to its reports', async () => {
  const page = await world.signedIn();
  for (const [sender, addresses] of [
    ['sendgrid', ['198.51.100.7']],
    ['192.0.2.0/24', ['192.0.2.1']],
    ['198.51.100.0/24', []],
  ] as const) {
    await page.goto(`/senders/sender?${new URLSearchParams({ domain: 'example.com', sender })}`);
    const links = page.getByRole('region', { name: 'sent as example.com' }).locator('tbody a');
    expect(await links.allInnerTexts(), `addresses of ${sender}`).toEqual(addresses);
  }
  await page.goto('/senders/sender?domain=example.com&sender=192.0.2.0/24');
  expect(await page.locator('.facts').innerText()).toMatch(/Messages\s+80\b/);
  await page.getByRole('link', { name: '192.0.2.1' }).click();
  await page.waitForURL('**/sources/192.0.2.1?domain=example.com');
});

it('a decision is said on the pages of the address, of the domain and in lists, and orders them', async () => {
  const page = await world.signedIn();
  await page.goto('/sources/192.0.2.1');
  expect(await page.getByText('Somebody else uses our name').count()).toBe(1);
  await page.goto('/domains/example.com');
  const rows = page.getByRole('region', { name: 'own senders that fail first' }).locator('tbody tr');
  expect(await rows.count()).toBe(3);
  expect(await rows.last().textContent()).toMatch(/192\.0\.2\.1.*decided Not ours/);
  await page.goto('/sources/198.51.100.7');
  expect(await page.getByText('Somebody else uses our name').count()).toBe(0);
});

it('a viewer sees decisions and cannot make one', async () => {
  const page = await world.signedIn('viewer@example.com', 'viewer');
  await page.goto('/senders');
  const inventory = page.locator('#inventory');
  expect(await inventory.getByText('Not ours').count()).toBe(1);
  expect(await inventory.getByRole('button').count()).toBe(0);
  expect(await inventory.getByText('Owners, admins and analysts make them').count()).toBe(1);
  await page.goto('/senders/sender?domain=example.com&sender=192.0.2.0%2F24');
  expect(await page.getByRole('button', { name: 'Decide' }).count()).toBe(0);
  const form = { domain: 'example.com', sender: '192.0.2.0/24', decision: 'ours' };
  const refused = await page.request.post(world.form('/senders/decide'), {
    form,
    headers: { origin: world.origin },
  });
  expect(refused.status()).toBe(403);
});

it('a form of another site, a sender that there is not, and a text that is too long are refused', async () => {
  const page = await world.signedIn('admin@example.com', 'admin');
  const post = async (form: { [name: string]: string }, origin = world.origin) => {
    const given = { domain: 'example.com', sender: '192.0.2.0/24', decision: 'ours', ...form };
    const sent = { form: given, headers: { origin }, maxRedirects: 0 };
    return (await page.request.post(world.form('/senders/decide'), sent)).status();
  };
  expect(await post({}, 'https://evil.example')).toBe(403);
  expect(await post({ sender: 'nobody' })).toBe(404);
  expect(await post({ domain: 'nobody.example' })).toBe(404);
  expect(await post({ decision: 'mine' })).toBe(400);
  expect(await post({ note: 'x'.repeat(2_001) })).toBe(400);
  expect(await post({ back: 'https://evil.example/' })).toBe(303);
  expect((await page.goto('/senders/sender?domain=example.com&sender=nobody'))?.status()).toBe(404);
  expect((await page.goto('/senders/sender'))?.status()).toBe(400);
});

it('a filter of addresses shows addresses alone', async () => {
  const page = await world.signedIn('analyst@example.com', 'analyst');
  await page.goto('/senders?class=suspicious');
  expect(await page.locator('#inventory').count()).toBe(0);
  expect(await page.getByRole('link', { name: '192.0.2.1' }).count()).toBe(1);
});
