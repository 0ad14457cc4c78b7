import { givenReports } from '@dmarc-ledger/testkit';
import { addDays, dayOf, idText } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPagesWorld, type PagesWorld } from '../../../test/support/pages.ts';

const MARKUP = `"><img src=x onerror="globalThis.pwned=1"><script>globalThis.pwned=1</script>`;
const lastWeek = addDays(dayOf(Date.now() / 1_000), -9);
let world: PagesWorld;

beforeAll(async () => {
  world = await openPagesWorld();
  const window = { begin: `${lastWeek}T00:00:00Z`, end: `${lastWeek}T23:59:59Z` };
  await givenReports(world.database.db, world.orgId, [{ domain: 'example.com', ...window, records: [{ count: 900 }] }]);
  await sql`update organization set name = ${MARKUP} where id = ${world.orgId}`.execute(world.database.db);
});
afterAll(async () => await world[Symbol.asyncDispose]());

async function subscriptions() {
  const { rows } = await sql<{ user_id: string; frequency: string; domains: string[]; token: string }>`
    select user_id, frequency, domains, token from digest_subscription`.execute(world.database.db);
  return rows;
}

it('a viewer chooses the digest, changes the choice, and ends it by the link of the mail without signing in', async () => {
  const page = await world.signedIn('viewer@example.com', 'viewer');
  await page.goto('/');
  await page.getByRole('link', { name: 'Digest' }).click();
  await page.getByLabel('Send it to me').selectOption('weekly');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The next one is due on').waitFor();
  expect(await subscriptions()).toMatchObject([{ frequency: 'weekly', domains: [] }]);

  await page.getByLabel('Send it to me').selectOption('daily');
  await page.getByLabel('Only about these domains').fill('Example.com, other.example');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.waitForURL('**/digest');
  const [own] = await subscriptions();
  expect(own).toMatchObject({ frequency: 'daily', domains: ['example.com', 'other.example'] });

  const of = (token: string) => [idText(world.orgId), idText(own!.user_id), token].join('.');
  const post = async (text: string) =>
    (
      await fetch(`${world.origin}/digest/unsubscribe?of=${text}`, {
        method: 'POST',
        body: 'List-Unsubscribe=One-Click',
      })
    ).status;
  expect(await post(of('01a2077a-b4c5-738f-bbab-c27526f3e468'))).toBe(200);
  expect(await post('made-up')).toBe(200);
  expect((await fetch(`${world.origin}/digest/unsubscribe?of=${of(own!.token)}`)).status).toBe(200);
  expect(await subscriptions()).toHaveLength(1); // looking at the link, and wrong links, end nothing
  const stranger = await (await world.browser.profile({ baseURL: world.origin })).newPage();
  await stranger.goto(`/digest/unsubscribe?of=${of(own!.token)}`);
  await stranger.getByRole('button', { name: 'Send me no more of them' }).click();
  await stranger.getByText('You get no more of these digests').waitFor();
  expect(await subscriptions()).toEqual([]);
});

it.each([
  [390, 'light'],
  [1440, 'dark'],
] as const)(
  'the preview looks as the mail at %i pixels in %s colours, and runs nothing',
  async (width, colorScheme) => {
    const page = await world.signedIn();
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    const response = await page.goto('/digest/preview?frequency=weekly');
    expect(response?.headers()['content-security-policy']).toContain('sandbox');
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toContain(MARKUP);
    expect(await page.locator('img, script').count()).toBe(0);
    expect(await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    const background = await page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
    expect(background).toBe(colorScheme === 'dark' ? 'rgb(20, 23, 26)' : 'rgb(238, 241, 244)');
  },
);

it('a form of another site, names that are none, and an integration are refused', async () => {
  const page = await world.signedIn();
  const post = async (form: { [name: string]: string }, origin = world.origin) => {
    const sent = { form: { domains: '', ...form }, headers: { origin }, maxRedirects: 0 };
    return (await page.request.post(world.form('/digest'), sent)).status();
  };
  expect(await post({ frequency: 'weekly' }, 'https://evil.example')).toBe(403);
  expect(await post({ frequency: 'hourly' })).toBe(400);
  expect(await post({ frequency: 'weekly', domains: 'no domain!' })).toBe(400);
  const integration = await world.signedIn('integration@example.com', 'integration');
  expect((await integration.goto('/digest'))?.status()).toBe(403);
});
