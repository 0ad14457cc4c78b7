import { createOrganization } from '@dmarc-ledger/ledger';
import { admitIdentity } from '@dmarc-ledger/ledger/for-web';
import { sql } from 'kysely';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPagesWorld, type PagesWorld } from '../../../test/support/pages.ts';
import { CLIENT, openProvider, type TestProvider } from './provider.ts';

let world: PagesWorld;
let provider: TestProvider;
beforeAll(async () => {
  const redirects: string[] = [];
  world = await openPagesWorld({
    async identityProvider(origin) {
      redirects.push(`${origin}/sign-in/provider/back`);
      provider = await openProvider(redirects);
      // Operators write it with a slash or without; the provider may do the other.
      return { issuer: `${provider.issuer}/`, clientId: CLIENT.id, clientSecret: CLIENT.secret, name: 'Example login' };
    },
  });
});
afterAll(async () => {
  await world[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});

async function newPage(): Promise<Page> {
  return await (await world.browser.profile({ baseURL: world.origin })).newPage();
}

/** From the form of the pages to the provider, and through its own pages back. */
async function signInAt(page: Page, subject: string, path = '/') {
  await page.goto(path);
  await page.getByRole('link', { name: 'Sign in with Example login' }).click();
  await page.locator('input[name=login]').fill(subject);
  await page.locator('input[name=password]').fill('any');
  await page.getByRole('button').click();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.waitForURL(`${world.origin}/**`);
}

/** The address with which the provider sends this browser back, which the pages have not seen yet. */
async function answerFor(page: Page, subject: string): Promise<URL> {
  let url = new URL('/sign-in/provider', world.origin);
  let form: { [name: string]: string } | undefined;
  for (;;) {
    const response = await page.request.fetch(url.href, {
      method: form ? 'POST' : 'GET',
      ...(form && { form }),
      maxRedirects: 0,
    });
    const { location } = response.headers();
    form = undefined;
    if (location !== undefined) {
      url = new URL(location, url);
      if (url.pathname === '/sign-in/provider/back') return url;
    } else {
      const text = await response.text();
      const isLogin = text.includes('name="login"');
      form = isLogin ? { prompt: 'login', login: subject, password: 'any' } : { prompt: 'consent' };
      url = new URL(/action="([^"]+)"/.exec(text)?.[1] ?? '', url);
    }
  }
}

const sessionOf = async (page: Page) =>
  (await page.context().cookies(world.origin)).find(({ name }) => name === 'dmarc_ledger_session')?.value;
const refusal = async (page: Page) => await page.getByRole('alert').textContent();

it('signs a member in at the identity provider, on the page that they wanted, and links the account', async () => {
  await world.linkFor('anna@example.com', 'viewer');
  provider.accounts.set('anna-1', { email: 'Anna@Example.com', email_verified: true });
  const page = await newPage();
  await signInAt(page, 'anna-1', '/domains?days=7');
  expect(page.url()).toBe(`${world.origin}/domains?days=7`);
  await page.goto('/account');
  expect(await page.textContent('main')).toContain('by identity provider');
  expect(await page.textContent('main')).toContain('Linked since');

  provider.accounts.set('anna-1', { email: 'another@example.com', email_verified: false });
  const later = await newPage();
  await signInAt(later, 'anna-1');
  expect(await later.textContent('.who')).toContain('anna@example.com');
});

it('says the same to an unknown address, an unproved one, and a second account of a linked person', async () => {
  await world.linkFor('ben@example.com', 'viewer');
  await world.linkFor('carla@example.com', 'viewer');
  provider.accounts.set('ben-1', { email: 'ben@example.com', email_verified: true });
  await signInAt(await newPage(), 'ben-1');
  provider.accounts.set('nobody', { email: 'nobody@example.com', email_verified: true });
  provider.accounts.set('unproved', { email: 'carla@example.com', email_verified: false });
  provider.accounts.set('ben-2', { email: 'ben@example.com', email_verified: true });
  provider.accounts.set('kelvin', { email: 'ben@example.com'.replace('b', 'K'), email_verified: true });
  const texts: (string | null)[] = [];
  for (const subject of ['nobody', 'unproved', 'ben-2', 'kelvin']) {
    const page = await newPage();
    await signInAt(page, subject);
    texts.push(await refusal(page));
    expect(await sessionOf(page)).toBeUndefined();
  }
  expect(new Set(texts)).toEqual(new Set([texts[0]]));
  expect(texts[0]).toContain('signs nobody in here');
  const people = await world.database.db.selectFrom('person').select('email').execute();
  expect(people.map(({ email }) => email)).not.toContain('nobody@example.com');
});

it('refuses an answer with another state, from another issuer, or for another browser, and a code sent twice', async () => {
  await world.linkFor('dora@example.com', 'viewer');
  provider.accounts.set('dora-1', { email: 'dora@example.com', email_verified: true });
  const changed = async (change: (answer: URL) => void) => {
    const page = await newPage();
    const answer = await answerFor(page, 'dora-1');
    change(answer);
    const response = await page.goto(answer.href);
    return { status: response?.status(), text: await refusal(page) };
  };
  const failed = { status: 403, text: 'That sign-in did not work. Begin it again.' };
  expect(await changed(({ searchParams }) => searchParams.set('state', 'another'))).toEqual(failed);
  expect(await changed(({ searchParams }) => searchParams.delete('state'))).toEqual(failed);
  expect(await changed(({ searchParams }) => searchParams.set('iss', 'https://other.example'))).toEqual(failed);
  expect(await changed(({ searchParams }) => searchParams.delete('iss'))).toEqual(failed);
  expect(await changed(({ searchParams }) => searchParams.set('code', 'guessed'))).toEqual(failed);

  const victim = await newPage();
  const stolen = await answerFor(await newPage(), 'dora-1');
  expect((await victim.goto(stolen.href))?.status()).toBe(403); // a browser that began nothing
  await victim.goto('/sign-in');
  await victim.goto('/sign-in/provider');
  expect((await victim.goto(stolen.href))?.status()).toBe(403); // one that began a sign-in of its own

  const page = await newPage();
  const answer = await answerFor(page, 'dora-1');
  const cookies = await page.context().cookies();
  await page.goto(answer.href);
  expect(page.url()).toBe(`${world.origin}/`);
  const copy = await newPage();
  await copy.context().addCookies(cookies);
  expect((await copy.goto(answer.href))?.status()).toBe(403);
});

it('does not take an account of another issuer for the linked one', async () => {
  const other = { issuer: 'https://other.example', subject: 'anna-1', email: undefined, isVerified: false };
  expect(await admitIdentity(world.database.db, other)).toBe('email_unverified');
});

it('never leads elsewhere after the provider, and begins a new session each time', async () => {
  const page = await newPage();
  for (const next of ['https://attacker.example/', '//attacker.example/', '/\\attacker.example']) {
    await page.context().clearCookies();
    await signInAt(page, 'anna-1', `/sign-in?next=${encodeURIComponent(next)}`);
    expect(page.url()).toBe(`${world.origin}/`);
  }
  const first = await sessionOf(page);
  const answer = await page.goto('/sign-in/provider');
  expect(answer?.url()).toBe(`${world.origin}/`); // the provider still knows the person
  expect(await sessionOf(page)).not.toBe(first);
  const old = await fetch(`${world.origin}/`, {
    headers: { cookie: `dmarc_ledger_session=${first}` },
    redirect: 'manual',
  });
  expect(old.status).toBe(303);
});

it('unlinks an account, and lets the next one with the address take its place', async () => {
  await createOrganization(world.database.db, { name: 'Third Ltd' });
  await world.linkFor('eve@example.com', 'viewer');
  provider.accounts.set('eve-1', { email: 'eve@example.com', email_verified: true });
  provider.accounts.set('eve-2', { email: 'eve@example.com', email_verified: true });
  const page = await newPage();
  await signInAt(page, 'eve-1');
  await page.goto('/account');
  await page.getByRole('button', { name: 'Unlink' }).click();
  expect(await page.textContent('main')).toContain('Not linked');
  const second = await newPage();
  await signInAt(second, 'eve-2');
  expect(await second.textContent('.who')).toContain('eve@example.com');
});

it('counts attempts by network before the provider is asked', async () => {
  await sql`insert into sign_in_attempt (subject, window_begin, attempts)
    values ('network 203.0.113.77', date_bin('15 minutes', now(), 'epoch'), 100)`.execute(world.database.db);
  const pending = Buffer.from(JSON.stringify({ state: 's', nonce: 'n', verifier: 'v', next: '' })).toString(
    'base64url',
  );
  const ask = async (client: string) =>
    (
      await fetch(`${world.origin}/sign-in/provider/back?code=x&state=s`, {
        headers: { cookie: `dmarc_ledger_oidc=${pending}`, 'x-forwarded-for': client },
      })
    ).status;
  expect(await ask('203.0.113.77')).toBe(429);
  expect(await ask('203.0.113.78')).toBe(403);
});
