import { addDays, newId } from '@dmarc-ledger/vocabulary';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPagesWorld, type PagesWorld } from '../../../test/support/pages.ts';
import { signInCookie } from '../../../test/support/sign-in-cookie.ts';

let world: PagesWorld;
let cookie: string;
const today = new Date().toISOString().slice(0, 10);
const ago = (days: number) => new Date(`${addDays(today, -days)}T12:00:00Z`);

beforeAll(async () => {
  world = await openPagesWorld();
  const { orgId, database } = world;
  const events = [
    { title: 'Of today', days: 0 },
    { title: 'Dealt with long ago', days: 41, acknowledged_at: ago(1) },
    { title: 'Open for 40 days', days: 40 },
    { title: 'Open for 400 days', days: 400 },
    { title: 'Of another domain', days: 50, domain: 'example.org' },
  ];
  for (const { days, ...event } of events) {
    const values = { type: 'new_source', severity: 'info', message: '', link: '', domain: 'example.com', ...event };
    await database.db
      .insertInto('event')
      .values({ ...values, org_id: orgId, id: newId(), dedup_key: event.title, created_at: ago(days) } as never)
      .execute();
  }
  cookie = await signInCookie(await world.linkFor('reader@example.com', 'analyst'));
});
afterAll(async () => await world[Symbol.asyncDispose]());

async function read(path: string): Promise<string> {
  const response = await fetch(new URL(path, world.origin), { headers: { cookie } });
  expect({ path, status: response.status }).toEqual({ path, status: 200 });
  return await response.text();
}

/** The titles of the events of a page, newest first. */
function titlesIn(html: string): string[] {
  return [...html.matchAll(/<li id="event-[^]*?<strong>(.*?)<\/strong>/g)].map(([, title = '']) => title);
}

describe('the page of events', () => {
  it('lists events of any age until days are chosen, on the page and in its file', async () => {
    const all = ['Of today', 'Open for 40 days', 'Dealt with long ago', 'Of another domain', 'Open for 400 days'];
    expect(titlesIn(await read('/events'))).toEqual(all);
    expect((await read('/events?format=csv')).trim().split('\r\n')).toHaveLength(1 + all.length);
    expect(titlesIn(await read('/events?state=open'))).toEqual(all.filter((title) => title !== 'Dealt with long ago'));
    expect(titlesIn(await read('/events?days=90&domain=example.org'))).toEqual(['Of another domain']);
  });

  it('says of the days that are chosen which open events are older, and leads to them', async () => {
    const html = await read('/events?state=open&days=7&domain=example.com&offset=0');
    expect(titlesIn(html)).toEqual(['Of today']);
    const [, count, path = ''] = /(\d+) open events are from before these days.*?<a href="([^"]*)"/.exec(html) ?? [];
    expect(count).toBe('2');
    expect(titlesIn(await read(path.replaceAll('&amp;', '&')))).toEqual([
      'Of today',
      'Open for 40 days',
      'Open for 400 days',
    ]);
    for (const none of ['/events', '/events?state=acknowledged&days=7', '/events?days=90&domain=example.org'])
      expect([none, (await read(none)).includes('from before these days')]).toEqual([none, false]);
  });

  it('is reached from the newest events of the overview with all events, whatever its days are', async () => {
    const html = await read('/?days=7');
    const [, path = ''] = /<a href="([^"]*)">All events<\/a>/.exec(html) ?? [];
    expect(titlesIn(await read(path.replaceAll('&amp;', '&')))).toHaveLength(5);
  });
});
