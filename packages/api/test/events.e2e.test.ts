import { newId } from '@dmarc-ledger/vocabulary';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenOrganization, serveApi, type Served } from './served.ts';

let served: Served;
let org: Awaited<ReturnType<typeof givenOrganization>>;
let other: typeof org;

beforeAll(async () => {
  served = await serveApi();
  org = await givenOrganization(served, 'Events');
  other = await givenOrganization(served, 'Other');
  const events = ['a', 'b', 'c'].map((key) => ({
    org_id: org.id,
    id: newId(),
    dedup_key: `test/${key}`,
    type: key === 'c' ? 'of_tomorrow' : 'report_parse_failed',
    severity: 'warning' as const,
    domain: key === 'b' ? 'example.com' : '',
    title: `Title ${key}`,
    message: 'A sentence.',
    link: '/settings/ingest',
  }));
  await served.db.insertInto('event').values(events).execute();
  const at = { 'test/a': '2026-03-01T23:59:59Z', 'test/b': '2026-03-02T00:00:00Z', 'test/c': '2026-03-03T00:00:00Z' };
  for (const [key, instant] of Object.entries(at))
    await served.db
      .updateTable('event')
      .set({ created_at: new Date(instant) })
      .where('dedup_key', '=', key)
      .execute();
  await served.db.updateTable('event').set({ acknowledged_at: new Date() }).where('dedup_key', '=', 'test/b').execute();
});
afterAll(() => served[Symbol.asyncDispose]());

const titles = async (query: string) =>
  (await org.get(`/events${query}`)).body.events.map(({ title }: { title: string }) => title);

describe('GET /events', () => {
  it('returns the newest first, ready to display', async () => {
    const { body } = await org.get('/events?limit=2');
    expect(body).toMatchObject({ total: 3, limit: 2, offset: 0 });
    expect(body.events).toEqual([
      {
        id: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/),
        type: 'of_tomorrow',
        type_label: 'of_tomorrow',
        severity: 'warning',
        title: 'Title c',
        message: 'A sentence.',
        domain: '',
        link: '/settings/ingest',
        acknowledged: false,
        created_at: '2026-03-03T00:00:00Z',
      },
      expect.objectContaining({ type_label: 'Reports could not be read', domain: 'example.com', acknowledged: true }),
    ]);
  });

  it('knows days in UTC, the last one included, and whether an event was acknowledged', async () => {
    expect(await titles('?from=2026-03-02')).toEqual(['Title c', 'Title b']);
    expect(await titles('?to=2026-03-02')).toEqual(['Title b', 'Title a']);
    expect(await titles('?from=2026-03-02&to=2026-03-02')).toEqual(['Title b']);
    expect(await titles('?acknowledged=true')).toEqual(['Title b']);
    expect(await titles('?acknowledged=false')).toEqual(['Title c', 'Title a']);
    expect(await titles('?acknowledged=perhaps&offset=2')).toEqual(['Title a']);
    expect((await org.get('/events?from=yesterday')).status).toBe(400);
  });

  it('shows none of other organizations', async () =>
    expect((await other.get('/events')).body).toMatchObject({ events: [], total: 0 }));
});
