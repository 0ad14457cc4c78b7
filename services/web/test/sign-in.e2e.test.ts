import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { createLink, createOrganization, ensurePerson, removeUser } from '@dmarc-ledger/ledger';
import { hashPassword } from '@dmarc-ledger/secrets';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPagesWorld, type PagesWorld } from '../../../test/support/pages.ts';

let world: PagesWorld;
beforeAll(async () => (world = await openPagesWorld()));
afterAll(async () => await world[Symbol.asyncDispose]());

it('signs a person in by a link with one click, and only once', async () => {
  const link = await world.linkFor('anna@example.com', 'viewer');
  const profile = await world.browser.profile();
  const page = await profile.newPage();
  await page.goto(link);
  expect(await page.textContent('main')).toContain('anna@example.com');
  await page.goto(link); // looking at it twice does not use it up
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.waitForURL(`${world.origin}/`);
  expect(await page.textContent('h1')).toBe('Overview');

  const other = await (await world.browser.profile()).newPage();
  const response = await other.goto(link);
  expect(response?.status()).toBe(404);
  expect(await other.textContent('main')).toContain('was used already');
});

it('leads from a page to signing in, and back to that page', async () => {
  const page = await (await world.browser.profile()).newPage();
  await page.goto(`${world.origin}/reports?domain=example.com`);
  expect(page.url()).toBe(`${world.origin}/sign-in?next=%2Freports%3Fdomain%3Dexample.com`);
});

it('lets a person set a password, sign out, and sign in with it', async () => {
  const page = await world.signedIn('ben@example.com', 'analyst');
  await page.goto('/account');
  await page.getByLabel('New password').fill('a long sentence of my own');
  await page.getByRole('button', { name: 'Save' }).click();
  expect(await page.textContent('main')).toContain('The password is set');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL(/\/sign-in$/);

  await page.getByLabel('E-mail address').fill('Ben@Example.com');
  await page.getByLabel('Password').fill('a long sentence of another');
  await page.getByRole('button', { name: 'Sign in' }).click();
  expect(await page.getByRole('alert').textContent()).toBe('This address and password do not belong together.');
  await page.getByLabel('Password').fill('a long sentence of my own');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(`${world.origin}/`);
});

it('says the same about a wrong password and about an account that does not exist', async () => {
  await world.linkFor('carla@example.com', 'viewer');
  const attempt = async (email: string) => {
    const answer = await fetch(`${world.origin}/sign-in`, {
      method: 'POST',
      headers: { origin: world.origin },
      body: new URLSearchParams({ email, password: 'never the right one' }),
    });
    return { status: answer.status, text: (await answer.text()).replace(email, '') };
  };
  expect(await attempt('carla@example.com')).toEqual(await attempt('nobody@example.com'));
});

it('refuses further attempts on an account after ten in a quarter of an hour', async () => {
  const attempt = async () => {
    const body = new URLSearchParams({ email: 'dora@example.com', password: 'guessed' });
    return (await fetch(`${world.origin}/sign-in`, { method: 'POST', headers: { origin: world.origin }, body })).status;
  };
  const statuses: number[] = [];
  for (let i = 0; i < 12; i += 1) statuses.push(await attempt());
  expect(statuses.slice(0, 9)).toEqual(Array.from({ length: 9 }, () => 403));
  expect(statuses.at(-1)).toBe(429);
});

it('lets the owner of an account in, from elsewhere, while one client tries passwords', async () => {
  const page = await world.signedIn('dave@example.com', 'viewer');
  await page.goto('/account');
  await page.getByLabel('New password').fill('a long sentence of my own');
  await page.getByRole('button', { name: 'Save' }).click();
  const attempt = async (client: string, password: string) => {
    const headers = { origin: world.origin, 'x-forwarded-for': client };
    const body = new URLSearchParams({ email: 'dave@example.com', password });
    const request = { method: 'POST', headers, body, redirect: 'manual' } as const;
    return (await fetch(`${world.origin}/sign-in`, request)).status;
  };
  const guesses = await Promise.all(Array.from({ length: 60 }, () => attempt('203.0.113.20', 'guessed')));
  expect(guesses.filter((status) => status === 403)).toHaveLength(10);
  expect(await attempt('203.0.113.21', 'a long sentence of my own')).toBe(303);
});

it('lets a person who has a session guess the present password ten times', async () => {
  const page = await world.signedIn('dina@example.com', 'viewer');
  const cookie = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
  await sql`update session set signed_in_by = 'password'`.execute(world.database.db);
  await sql`update person set password_hash = 'x' where email = 'dina@example.com'`.execute(world.database.db);
  const guess = async () => {
    const body = new URLSearchParams({ current: 'guessed', password: 'a long sentence of another' });
    const headers = { origin: world.origin, cookie };
    const answer = await fetch(`${world.origin}/account/password`, { method: 'POST', headers, body });
    expect((await answer.text()).includes('Too many attempts')).toBe(answer.status === 429);
    return answer.status;
  };
  const statuses: number[] = [];
  for (let i = 0; i < 12; i += 1) statuses.push(await guess());
  expect(statuses).toEqual([...Array<number>(10).fill(403), 429, 429]);
  const logged = world.attempts.filter(({ by }) => by === 'present_password');
  expect(logged.map(({ outcome }) => outcome)).toEqual([...Array<string>(10).fill('refused'), 'limited', 'limited']);
  expect(logged.at(0)).toMatchObject({ email: 'dina@example.com', address: '127.0.0.1' });
});

it('sets another password without the present one only within an hour of the link that proved the address', async () => {
  const { db } = world.database;
  const page = await world.signedIn('dirk@example.com', 'viewer');
  await sql`update person set password_hash = 'x' where email = 'dirk@example.com'`.execute(db);
  await page.goto('/account');
  await expect.poll(() => page.getByLabel('New password').count()).toBe(1);
  expect(await page.getByLabel('Present password').count()).toBe(0);
  await sql`update session set created_at = now() - interval '61 minutes'`.execute(db);
  await page.getByLabel('New password').fill('of a thief, 12 or more');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The present password is not right.').waitFor();
  expect(await page.getByLabel('Present password').count()).toBe(1);
});

/** Sets another password, as `/account` does, while these requests are under way; returns their statuses. */
async function whilePasswordIsSet(personId: string, requests: (() => Promise<Response>)[]): Promise<number[]> {
  const { db } = world.database;
  const underWay = await db.transaction().execute(async (trx) => {
    await sql`update person set password_hash = 'another' where id = ${personId}`.execute(trx);
    const begun = Promise.all(requests.map((request) => request()));
    const waiting = sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await expect.poll(async () => (await waiting.execute(db)).rows.length).toBe(requests.length);
    await trx.deleteFrom('session').where('person_id', '=', personId).execute();
    return { begun }; // in an object, so that the transaction does not wait for them
  });
  return (await underWay.begun).map(({ status }) => status);
}

it('what was begun with the old password opens nothing once a new one is set', async () => {
  const { db } = world.database;
  const page = await world.signedIn('dora.old@example.com', 'viewer');
  const cookie = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
  const { id } = await db
    .updateTable('person')
    .set({ password_hash: await hashPassword('the old password') })
    .where('email', '=', 'dora.old@example.com')
    .returning('id')
    .executeTakeFirstOrThrow();
  const post = (path: string, form: { [name: string]: string }, more: { [name: string]: string } = {}) =>
    fetch(`${world.origin}${path}`, {
      method: 'POST',
      headers: { origin: world.origin, ...more },
      body: new URLSearchParams(form),
      redirect: 'manual',
    });
  const statuses = await whilePasswordIsSet(id, [
    () => post('/sign-in', { email: 'dora.old@example.com', password: 'the old password' }),
    () => post('/account/password', { password: 'of a thief, 12 or more' }, { cookie }),
  ]);
  expect(statuses).toEqual([403, 303]);
  const person = await db.selectFrom('person').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  expect(person.password_hash).toBe('another');
  expect(await db.selectFrom('session').select('id').where('person_id', '=', id).execute()).toEqual([]);
});

it('refuses a form that another site sends', async () => {
  const page = await world.signedIn('eve@example.com', 'owner');
  const cookie = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
  const post = async (headers: Record<string, string>) =>
    (
      await fetch(`${world.origin}${world.form('/settings/api-keys')}`, {
        method: 'POST',
        headers: { cookie, 'content-type': 'application/x-www-form-urlencoded', ...headers },
        body: 'name=stolen&scope=full',
        redirect: 'manual',
      })
    ).status;
  expect(await post({ origin: 'https://attacker.example' })).toBe(403);
  expect(await post({ origin: 'null' })).toBe(403);
  expect(await post({})).toBe(403);
  expect(await post({ origin: world.origin })).toBe(200);
});

it('counts attempts by the client that a proxy of the own network names', async () => {
  const attempt = async (client: string) => {
    const headers = { origin: world.origin, 'x-forwarded-for': client };
    const body = new URLSearchParams({ email: `${client}@guess.example`, password: 'guessed' });
    return (await fetch(`${world.origin}/sign-in`, { method: 'POST', headers, body })).status;
  };
  await sql`insert into sign_in_attempt (subject, window_begin, attempts)
    values ('network 203.0.113.9', date_bin('15 minutes', now(), 'epoch'), 100)`.execute(world.database.db);
  expect(await attempt('203.0.113.9')).toBe(429);
  expect(await attempt('203.0.113.10')).toBe(403);
});

it('answers a request whose host is no host', async () => {
  const { hostname, port } = new URL(world.origin);
  const socket = connect(Number(port), hostname);
  socket.end('GET /sign-in HTTP/1.1\r\nHost: a b<script>\r\nConnection: close\r\n\r\n');
  expect(await text(socket)).toMatch(/^HTTP\/1.1 (?:200|400) /);
});

it('reads fields and parameters with bytes that no database stores', async () => {
  const odd = 'a\u0000b\ud800';
  const body = new URLSearchParams({ email: `${odd}@example.com`, password: odd, next: odd });
  const headers = { origin: world.origin };
  expect((await fetch(`${world.origin}/sign-in`, { method: 'POST', headers, body })).status).toBe(403);
  const page = await world.signedIn('odd@example.com', 'owner');
  const names = ['search', 'domain', 'org', 'code', 'source_ip', 'class', 'days', 'offset', 'before', 'address'];
  const query = names.map((name) => `${name}=a%00b`).join('&');
  for (const path of ['/', '/domains', '/senders', '/reports', '/tls', '/events', '/settings/ingest']) {
    expect({ path, status: (await page.goto(`${path}?${query}`))?.status() }).toEqual({ path, status: 200 });
  }
});

it('answers a path of slashes with a page that says so, to strangers and to members', async () => {
  const page = await world.signedIn('slashes@example.com', 'viewer');
  const cookie = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
  for (const path of ['//', '///', '//[', '//:80', '//attacker.example/reports'])
    for (const headers of [new Headers(), new Headers({ cookie })]) {
      const answer = await fetch(`${world.origin}${path}`, { headers });
      expect({ path, status: answer.status }).toEqual({ path, status: 404 });
      expect(await answer.text()).not.toContain('//attacker.example');
    }
});

it('leads a member who hands in reports and sees no figures to intake, after signing in and from a refusal', async () => {
  const page = await world.signedIn('machine@example.com', 'integration');
  expect(new URL(page.url()).pathname).toBe('/settings/ingest');
  expect(await page.textContent('h1')).toBe('Intake');
  await page.getByRole('link', { name: 'DMARC Ledger' }).click();
  expect(await page.textContent('h1')).toBe('Intake');
  expect((await page.goto('/domains'))?.status()).toBe(403);
  await page.getByRole('link', { name: 'Back to intake' }).click();
  expect(await page.textContent('h1')).toBe('Intake');
  await page.goto('/?days=7');
  expect(page.url()).toBe(`${world.origin}/settings/ingest?days=7`);
});

it('never leads elsewhere after signing in', async () => {
  for (const next of [
    'https://attacker.example/',
    '//attacker.example/',
    '/\\attacker.example',
    'javascript:alert(1)',
  ]) {
    const link = await world.linkFor(`next-${encodeURIComponent(next).length}@example.com`, 'viewer');
    const page = await (await world.browser.profile()).newPage();
    await page.goto(`${link}&next=${encodeURIComponent(next)}`);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.waitForURL(`${world.origin}/`);
    expect(new URL(page.url()).origin).toBe(world.origin);
  }
});

it('ends what a removed member sees at once, and keeps what they see elsewhere', async () => {
  const { db } = world.database;
  const { id: second } = await createOrganization(db, { name: 'Second Ltd' });
  const page = await world.signedIn('fred@example.com', 'viewer');
  await world.linkFor('fred@example.com', 'analyst', second);
  await page.goto('/orgs');
  await page.getByRole('button', { name: 'Second Ltd' }).click();
  await page.waitForURL(`${world.origin}/`);
  expect(await page.textContent('.who')).toContain('Second Ltd');
  await db.updateTable('app_user').set({ removed_at: new Date() }).where('org_id', '=', second).execute();
  await page.reload();
  expect(await page.textContent('.who')).toContain('Example Ltd');
  expect(await page.textContent('.who')).not.toContain('Second Ltd');
});

it.each(['removed', 'suspended'])('says why a person whose only organization is %s sees nothing', async (cause) => {
  const { db } = world.database;
  const { id } = await createOrganization(db, { name: `Only ${cause}` });
  const email = `${cause}@example.com`;
  const page = await world.signedIn(email, 'owner', id);
  await page.goto('/domains/add?domain=later.example');
  if (cause === 'removed') await removeUser(db, id, email);
  else await db.updateTable('organization').set({ suspended_at: new Date() }).where('id', '=', id).execute();
  const isSaid = async () => {
    await page.waitForURL(`${world.origin}/orgs`);
    expect(await page.textContent('main')).toContain('You belong to none now, or yours is suspended');
  };
  await page.getByRole('button', { name: 'Add it' }).click();
  await isSaid();
  for (const path of ['/', '/sign-in', '/domains']) {
    await page.goto(path);
    await isSaid();
  }
  const { token } = await createLink(db, (await ensurePerson(db, email)).id, 'sign_in');
  await page.goto(`/sign-in/link?token=${token}`);
  await page.getByRole('button', { name: 'Continue' }).click();
  await isSaid();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL(`${world.origin}/sign-in`);
});

it('shows where a person is signed in, and ends another session', async () => {
  const first = await world.signedIn('gina@example.com', 'viewer');
  const profile = await world.browser.profile({ baseURL: world.origin });
  const second = await profile.newPage();
  const person = await ensurePerson(world.database.db, 'gina@example.com');
  const { token } = await createLink(world.database.db, person.id, 'sign_in');
  await second.goto(`/sign-in/link?token=${token}`);
  await second.getByRole('button', { name: 'Continue' }).click();
  await second.goto('/account');
  await second.getByRole('button', { name: 'End this session' }).click();
  await first.goto('/account');
  expect(first.url()).toContain('/sign-in');
});

it('leads back to the page of a form that was sent when the session had ended', async () => {
  const page = await world.signedIn();
  await page.goto('/domains/add?domain=later.example');
  await page.context().clearCookies();
  await page.getByRole('button', { name: 'Add it' }).click();
  await page.waitForURL(/\/sign-in/);
  expect(page.url()).toBe(`${world.origin}/sign-in?next=%2Fdomains%2Fadd%3Fdomain%3Dlater.example`);
});
