import { givenReports } from '@dmarc-ledger/testkit';
import { addDays } from '@dmarc-ledger/vocabulary';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPagesWorld, type PagesWorld } from '../../../test/support/pages.ts';
import { signInCookie } from '../../../test/support/sign-in-cookie.ts';

let world: PagesWorld;
let cookie: string;
const today = new Date().toISOString().slice(0, 10);
const ago = (days: number) => addDays(today, -days);

/** Windows that end at the next midnight, span days, begin in the afternoon or have no end, around those of a score. */
beforeAll(async () => {
  world = await openPagesWorld();
  const of = (domain: string, begin: string, end: string | null, count: number) => ({
    domain,
    begin,
    end,
    records: [
      { ip: '192.0.2.1', count, dkim: true },
      { ip: '192.0.2.2', count: 1 },
    ],
  });
  const midnight = (days: number) => `${ago(days)}T00:00:00Z`;
  await givenReports(world.database.db, world.orgId, [
    of('example.com', midnight(0), midnight(-1), 5),
    of('example.com', midnight(2), midnight(1), 7),
    of('example.com', `${ago(30)}T15:00:00Z`, `${ago(29)}T15:00:00Z`, 11),
    of('example.com', midnight(30), midnight(29), 13),
    of('example.com', midnight(33), midnight(27), 17),
    of('example.com', midnight(3), null, 19),
    of('example.com', midnight(-4), midnight(-5), 23),
    of('mail.example.com', midnight(2), midnight(1), 29),
    of('example.net', midnight(50), midnight(49), 31),
    of('example.net', midnight(90), midnight(89), 37),
    of('endless.example', midnight(5), null, 41),
  ]);
  cookie = await signInCookie(await world.linkFor('reader@example.com', 'analyst'));
});
afterAll(async () => await world[Symbol.asyncDispose]());

async function read(path: string): Promise<string> {
  const response = await fetch(new URL(path, world.origin), { headers: { cookie } });
  expect({ path, status: response.status }).toEqual({ path, status: 200 });
  return await response.text();
}

/** The links of a page to a list whose text is a number, with that number. */
function countedLinks(html: string, list = '/reports'): [path: string, count: number][] {
  const links = html.matchAll(/<a [^>]*href="(\/\w+)(\?[^"]*)?"[^>]*>([\d,]+)<\/a>/g);
  return [...links]
    .filter(([, path]) => path === list)
    .map(([, path = '', query = '', text = '']) => [
      path + query.replaceAll('&amp;', '&'),
      Number(text.replaceAll(',', '')),
    ]);
}

/** The messages of all reports of a list, and the number that its page says it has. */
async function behind(path: string): Promise<{ messages: number; rows: number; said: number }> {
  const lines = (await read(`${path}&format=csv`)).trim().split('\r\n');
  const column = lines[0]?.split(',').indexOf('total_messages') ?? -1;
  const messages = lines.slice(1).reduce((sum, line) => sum + Number(line.split(',')[column]), 0);
  const [, said = '0'] = /<caption[^>]*>([\d,]+) reports?/.exec(await read(path)) ?? [];
  return { messages, rows: lines.length - 1, said: Number(said.replaceAll(',', '')) };
}

const domains = ['example.com', 'mail.example.com', 'example.net', 'endless.example'];

const pagesOfAll = ['/', '/?days=7', '/domains', '/domains?days=7'];
const pagesOfOne = [
  '/?domain=example.com',
  '/?domain=example.com&days=7',
  ...domains.flatMap((domain) => [`/domains/${domain}`, `/domains/${domain}?days=7`]),
];

it.each([...pagesOfAll, ...pagesOfOne])(
  'leads from the messages of each score on %s to reports that add up to them',
  async (page) => {
    const links = countedLinks(await read(page));
    expect(links.length).toBe(pagesOfOne.includes(page) ? 1 : domains.length);
    for (const [path, messages] of links) {
      const { rows, said, ...sum } = await behind(path);
      expect({ path, ...sum }).toEqual({ path, messages });
      expect({ path, said }).toEqual({ path, said: rows });
    }
  },
);

it('leads from no sum over windows of several domains to a list, as none adds up to it', async () => {
  const html = await read('/');
  expect(html).toContain('in the last 30 days of each domain');
  expect(countedLinks(html, '/senders')).toEqual([]);
});

it.each([
  ['', 11],
  ['days=7', 11],
  ['days=7&domain=example.net', 2],
  ['days=7&domain=unknown.example', 11],
])(
  'leads from the messages of an address, with %s in its address, to all reports that have it',
  async (query, rows) => {
    const [[path] = [''], ...others] = countedLinks(await read(`/sources/192.0.2.1?${query}`));
    expect(others).toEqual([]);
    expect((await behind(path)).rows).toBe(rows);
  },
);

it('leads from the days of a chart to the reports that it counts', async () => {
  const bars = (html: string) => /\d{4}: ([\d,]+) messages/.exec(html.replaceAll(/<[^>]+>/g, ' '))?.[1];
  for (const days of [7, 30, 90]) {
    const { messages } = await behind(`/reports?domain=example.com&days=${days}`);
    for (const path of [`/domains/example.com?days=${days}`, `/?domain=example.com&days=${days}`]) {
      const charted = Number(bars(await read(path))?.replaceAll(',', ''));
      expect({ path, messages }).toEqual({ path, messages: charted });
    }
  }
});

it.each([
  ['as one domain', 'example.net', '68', 'example.net'],
  ['as all domains', '', '233', ''],
  ['as all domains where it has no mail as that domain', 'unknown.example', '233', ''],
])('shows the figures of an address %s, as the list that leads to it does', async (_, domain, messages, filter) => {
  const html = await read(`/sources/192.0.2.1?domain=${domain}`);
  const [[path = '', shown] = []] = [...html.matchAll(/<a [^>]*href="(\/reports\?[^"]*)"[^>]*>([\d,]+)<\/a>/g)].map(
    ([, ...link]) => link,
  );
  expect(shown).toBe(messages);
  expect(new URLSearchParams(path.replaceAll('&amp;', '&').split('?')[1]).get('domain') ?? '').toBe(filter);
  const charted = /\d{4}: ([\d,]+) messages/.exec(html.replaceAll(/<[^>]+>/g, ' '))?.[1];
  expect(charted).toBe(messages);
});

it('lists reports from the first year that a date can name to the last, as v1 does', async () => {
  for (const days of ['from=0000-01-01', 'from=0000-01-01&to=9999-12-31', 'from=0000-02-30', 'to=9999-12-31'])
    expect([days, (await behind(`/reports?${days}`)).rows]).toEqual([days, 11]);
  expect((await behind('/reports?to=0000-12-31')).rows).toBe(0);
});

it('takes a domain that is known for that domain alone, and any other text for a part of names', async () => {
  expect((await behind('/reports?domain=EXAMPLE.com.')).rows).toBe(7);
  expect((await behind('/reports?domain=example.co')).rows).toBe(8);
  expect((await behind('/reports?domain=.example.com')).rows).toBe(1);
});
