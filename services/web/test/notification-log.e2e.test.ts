import { createOrganization } from '@dmarc-ledger/ledger';
import { newId } from '@dmarc-ledger/vocabulary';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPagesWorld, type PagesWorld } from '../../../test/support/pages.ts';
import { signInCookie } from '../../../test/support/sign-in-cookie.ts';

let world: PagesWorld;
let cookie: string;
/** More than a page shows. */
const SENT = 60;
const titles = Array.from({ length: SENT }, (_, age) => `Event ${age}`);

beforeAll(async () => {
  world = await openPagesWorld();
  const { id: other } = await createOrganization(world.database.db, { name: 'Other Ltd' });
  await givenSent(world.orgId, titles);
  await givenSent(other, ['Of another organization']);
  cookie = await signInCookie(await world.linkFor('admin@example.com', 'admin'));
});
afterAll(async () => await world[Symbol.asyncDispose]());

/** Notifications, the first the newest. Their ids are random, as are those that the ledger gives. */
async function givenSent(orgId: string, events: readonly string[]): Promise<void> {
  const { db } = world.database;
  const target = newId();
  const place = { id: target, kind: 'email', address: 'ops@example.com', least_severity: 'info', types: [] };
  await db
    .insertInto('delivery_target')
    .values({ ...place, org_id: orgId } as never)
    .execute();
  for (const [age, title] of events.entries()) {
    const event = { org_id: orgId, id: newId(), type: 'new_source', severity: 'info', title, message: '', link: '' };
    await db
      .insertInto('event')
      .values({ ...event, domain: 'example.com', dedup_key: title, delivery_planned: true } as never)
      .execute();
    const at = new Date(Date.UTC(2026, 0, 31) - age * 3_600_000);
    const sent = { org_id: orgId, id: randomUUID(), event_id: event.id, target_id: target, severity: 'info', title };
    await db
      .insertInto('event_delivery')
      .values({ ...sent, message: '', state: 'delivered', due_at: at, planned_at: at } as never)
      .execute();
  }
}

async function read(path: string): Promise<string> {
  const response = await fetch(new URL(path, world.origin), { headers: { cookie } });
  expect({ path, status: response.status }).toEqual({ path, status: 200 });
  return await response.text();
}

const eventsIn = (text: string) => [...text.matchAll(/Event \d+|Of another/g)].map(([title]) => title);

it('lists what was sent newest first, page by page', async () => {
  const first = await read('/settings/notifications');
  expect(eventsIn(first)).toEqual(titles.slice(0, 50));
  expect(first).toContain('1 to 50 of 60');
  expect(eventsIn(await read('/settings/notifications?offset=50'))).toEqual(titles.slice(50));
});

it('saves all that was sent as CSV, newest first', async () => {
  const file = await read('/settings/notifications?format=csv');
  expect(file.split('\r\n')[0]).toBe('id,planned_at,event,to,state,tries,status,error');
  expect(eventsIn(file)).toEqual(titles);
});
