import { addDays, newId } from '@dmarc-ledger/vocabulary';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPagesWorld, type PagesWorld } from '../../../test/support/pages.ts';
import { signInCookie } from '../../../test/support/sign-in-cookie.ts';

let world: PagesWorld;
let cookie: string;
const today = new Date().toISOString().slice(0, 10);

/** Deliveries on the days around the first of the last 30, some of which were refused, as a whole or in part. */
beforeAll(async () => {
  world = await openPagesWorld();
  const deliveries = [
    { ago: 0, state: 'stored' },
    { ago: 29, state: 'stored' },
    { ago: 29, state: 'stored', code: 'xml_malformed' },
    { ago: 1, state: 'refused', code: 'xml_malformed' },
    { ago: 30, state: 'stored' },
    { ago: 30, state: 'refused', code: 'xml_malformed' },
    { ago: 31, state: 'stored' },
  ];
  for (const [index, { ago, ...delivery }] of deliveries.entries()) {
    const received_at = new Date(`${addDays(today, -ago)}T00:00:00Z`);
    const content = { sha256: Buffer.alloc(32, index), size: 1, source: 'upload', name: `${index}.xml` };
    await world.database.db
      .insertInto('raw_message')
      .values({ ...content, ...delivery, org_id: world.orgId, id: newId(received_at.getTime()), received_at } as never)
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

/** The links of a page to deliveries whose text is a number, with that number. */
function countedLinks(html: string): [path: string, count: number][] {
  const links = html.matchAll(/<a [^>]*href="(\/settings\/ingest[^"]*)"[^>]*>(\d+)<\/a>/g);
  return [...links].map(([, path = '', count]) => [path.replaceAll('&amp;', '&'), Number(count)]);
}

it.each([
  ['/', [1, 4]],
  ['/?days=7', [1, 4]],
  ['/settings/ingest', [1, 1, 2]],
])('counts 30 days that end today on %s, each number with as many deliveries behind it', async (page, counts) => {
  const links = countedLinks(await read(page));
  expect(links.map(([, count]) => count).toSorted((a, b) => a - b)).toEqual(counts);
  for (const [path, count] of links) {
    const rows = (await read(`${path}&format=csv`)).trim().split('\r\n').slice(1);
    expect([path, rows.length]).toEqual([path, count]);
    expect([path, [...(await read(path)).matchAll(/>\d\.xml</g)].length]).toEqual([path, count]);
  }
});
