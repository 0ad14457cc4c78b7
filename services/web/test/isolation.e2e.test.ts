import { createKey, createOrganization } from '@dmarc-ledger/ledger';
import { openReads, webRole } from '@dmarc-ledger/schema';
import { givenReports } from '@dmarc-ledger/testkit';
import { idText, newId, roles, type Role } from '@dmarc-ledger/vocabulary';
import { actions, makeWeb, pages } from '@dmarc-ledger/web';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPagesWorld, type PagesWorld } from '../../../test/support/pages.ts';

let world: PagesWorld;
/** What only the other organization has: each must never appear. */
const SECRET = {
  domain: 'their-secret.example',
  ip: '198.51.100.99',
  reporter: 'their-reporter',
  name: 'Their Company',
};
const ids: { report: string; key: string; event: string; delivery: string } = {
  report: '',
  key: '',
  event: '',
  delivery: '',
};
let theirs: string;

beforeAll(async () => {
  world = await openPagesWorld();
  const { db } = world.database;
  theirs = (await createOrganization(db, { name: SECRET.name })).id;
  const [report] = await givenReports(db, theirs, [
    { domain: SECRET.domain, reporter: SECRET.reporter, records: [{ ip: SECRET.ip, count: 3 }] },
  ]);
  await givenReports(db, world.orgId, [{ domain: 'own.example', records: [{ ip: '203.0.113.1', count: 2 }] }]);
  const [event, delivery] = [newId(), newId()];
  await db
    .insertInto('event')
    .values({
      org_id: theirs,
      id: event,
      type: 'new_source',
      dedup_key: 'one',
      severity: 'info',
      title: SECRET.domain,
      message: '',
      domain: SECRET.domain,
      link: '',
    } as never)
    .execute();
  await db
    .insertInto('raw_message')
    .values({
      org_id: theirs,
      id: delivery,
      sha256: Buffer.alloc(32),
      size: 1,
      source: 'upload',
      name: SECRET.domain,
    } as never)
    .execute();
  const key = await createKey(db, theirs, { scope: 'read', name: SECRET.name });
  Object.assign(ids, {
    report: idText(report ?? ''),
    key: idText(key.id),
    event: idText(event),
    delivery: idText(delivery),
  });
});
afterAll(async () => await world[Symbol.asyncDispose]());

/** A path of the table with the other organization's names in its places. */
function pathsOf(path: string): string[] {
  const choices: { [name: string]: string[] } = {
    ':id': Object.values(ids),
    ':domain': [SECRET.domain],
    ':ip': [SECRET.ip],
    ':protocol': ['dmarc'],
  };
  return Object.entries(choices).reduce(
    (found, [name, values]) =>
      found.flatMap((one) => (one.includes(name) ? values.map((value) => one.replace(name, value)) : [one])),
    [path],
  );
}

async function cookieOf(email: string, role: Role): Promise<string> {
  const page = await world.signedIn(email, role);
  const cookies = await page.context().cookies();
  await page.context().close();
  return cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
}

it('shows on no page and for no role anything of another organization, by any id or name', async () => {
  expect(pages.length).toBeGreaterThan(10);
  for (const role of roles) {
    const cookie = await cookieOf(`${role}@isolation.example`, role);
    for (const { path } of pages) {
      for (const asked of pathsOf(path)) {
        const response = await fetch(`${world.origin}${asked}`, { headers: { cookie }, redirect: 'manual' });
        // Without what was asked for, which a page may repeat.
        const text = (await response.text()).replaceAll(asked, '').replaceAll(asked.split('/').at(-1) ?? '', '');
        expect({ role, asked, fault: response.status >= 500 }).toEqual({ role, asked, fault: false });
        for (const secret of Object.values(SECRET))
          expect({ role, asked, has: text.includes(secret) }).toEqual({ role, asked, has: false });
      }
    }
  }
});

/** The same pages where the database has no role for them, so that only their statements keep organizations apart. */
async function withoutRole() {
  const stack = new AsyncDisposableStack();
  const reads = openReads(world.database.url, { role: { ...webRole, name: 'no_such_role' } });
  stack.defer(() => reads.close());
  const onFault = (error: unknown) => world.faults.push(error);
  const web = await makeWeb({ reads, heavyReads: reads, onFault, onSignIn: () => undefined });
  stack.defer(() => web.close());
  return {
    origin: await web.listen({ host: '127.0.0.1', port: 0 }),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

it('changes by no action and for no role anything of another organization', async () => {
  const { before, after } = await changes(world.origin, 'actions.example');
  expect(after).toEqual(before);
});

it('changes nothing of another organization where the database has no role for the pages either', async () => {
  await using bare = await withoutRole();
  const { before, after } = await changes(bare.origin, 'bare.example');
  expect(after).toEqual(before);
});

/** Runs every action in every role, with what another organization has; returns that before and after. */
async function changes(origin: string, host: string) {
  const { db } = world.database;
  const snapshot = async () => ({
    keys: await db.selectFrom('api_key').selectAll().where('org_id', '=', theirs).execute(),
    events: await db.selectFrom('event').selectAll().where('org_id', '=', theirs).execute(),
    users: await db.selectFrom('app_user').selectAll().where('org_id', '=', theirs).execute(),
    domains: await db.selectFrom('domain').selectAll().where('org_id', '=', theirs).execute(),
  });
  const before = await snapshot();
  expect(actions.length).toBeGreaterThan(4);
  for (const role of roles) {
    const cookie = await cookieOf(`${role}@${host}`, role);
    for (const { path } of actions) {
      for (const asked of pathsOf(path)) {
        const body = new URLSearchParams({
          email: `x${newId()}@example.com`,
          role: 'viewer',
          name: 'x',
          scope: 'read',
          domain: SECRET.domain,
        });
        const headers = { cookie, origin };
        const posted = { method: 'POST', headers, body, redirect: 'manual' } as const;
        const { status } = await fetch(`${origin}${world.form(asked)}`, posted);
        const fault = status >= 500 || status === 409;
        expect({ role, asked, fault }).toEqual({ role, asked, fault: false });
      }
    }
  }
  return { before, after: await snapshot() };
}

it('opens no page and runs no action without a session', async () => {
  for (const { path } of pages) {
    const [asked = path] = pathsOf(path);
    const response = await fetch(`${world.origin}${asked}`, { redirect: 'manual' });
    expect({ asked, status: response.status }).toEqual({ asked, status: 303 });
    expect(response.headers.get('location')).toMatch(/^\/sign-in/);
  }
  for (const { path } of actions) {
    const [asked = path] = pathsOf(path);
    const headers = { origin: world.origin };
    const response = await fetch(`${world.origin}${asked}`, {
      method: 'POST',
      headers,
      redirect: 'manual',
      body: new URLSearchParams(),
    });
    expect({ asked, status: response.status }).toEqual({ asked, status: 303 });
  }
});
