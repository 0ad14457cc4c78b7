import { createOrganization, removeReport } from '@dmarc-ledger/ledger';
import { findClassedDays, findDomainId, findForgedMail, type ForgedMail } from '@dmarc-ledger/queries';
import { transact } from '@dmarc-ledger/schema';
import { cloneDatabase, type ClonedDatabase, givenReports } from '@dmarc-ledger/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const range = { from: '2026-03-01', to: '2026-03-09' } as const;
const LOUD = '2026-03-05';

let database: ClonedDatabase;
let orgId: string;
let before: ForgedMail[];

const failing = (ip: string, count: number, of: 'suspicious' | 'needs_review' | 'likely_forwarded') =>
  ({ ip, count, dkim: false, spf: false, class: of }) as const;
const on = (day: string) => ({ begin: `${day}T00:00:00Z`, end: `${day}T23:59:59Z` });

/** A report of much suspicious mail is gone, and its sums by address wait for their repair. */
beforeAll(async () => {
  database = await cloneDatabase();
  ({ id: orgId } = await createOrganization(database.db, { name: 'Repaired later' }));
  const quiet = ['2026-03-01', '2026-03-02', '2026-03-03', '2026-03-07'];
  const [first = '', second = ''] = await givenReports(database.db, orgId, [
    { domain: 'own.example', ...on(LOUD), records: [failing('198.51.100.66', 400, 'suspicious')] },
    {
      domain: 'both.example',
      ...on(LOUD),
      records: [failing('198.51.100.66', 500, 'suspicious'), failing('198.51.100.67', 30, 'suspicious')],
    },
    {
      domain: 'own.example',
      ...on(LOUD),
      records: [
        { ip: '192.0.2.1', count: 30 },
        failing('192.0.2.1', 120, 'needs_review'),
        failing('192.0.2.9', 7, 'likely_forwarded'),
      ],
    },
    { domain: 'both.example', ...on(LOUD), records: [failing('198.51.100.68', 200, 'suspicious')] },
    ...['own.example', 'both.example'].flatMap((domain) =>
      quiet.map((day) => ({ domain, ...on(day), records: [{ ip: '192.0.2.1', count: 50 }] })),
    ),
  ]);
  before = await findForgedMail(database.db, orgId, range);
  for (const id of [first, second]) await transact(database, (session) => removeReport(session, orgId, { id }));
});
afterAll(() => database[Symbol.asyncDispose]());

describe('while sums by address wait for their repair', () => {
  it.each([
    [undefined, { messages: 357, compliant: 30, forwarded: 7, suspicious: 320 }],
    ['own.example', { messages: 157, compliant: 30, forwarded: 7, suspicious: 120 }],
    ['both.example', { messages: 200, compliant: 0, forwarded: 0, suspicious: 200 }],
  ])('the classes of a day are no more than its messages, of %s', async (domain, expected) => {
    const domainId = domain && (await findDomainId(database.db, orgId, domain));
    const days = await findClassedDays(database.db, orgId, range, domainId);
    expect(days.find(({ day }) => day === LOUD)).toEqual({ day: LOUD, ...expected });
    expect(days).toHaveLength(5);
  });

  it('no mail that is gone is called forged, and none of an own server in its place', async () => {
    expect(new Set(before.map(({ messages }) => messages))).toEqual(new Set([400, 730]));
    expect(await findForgedMail(database.db, orgId, range)).toMatchObject([
      {
        domain: 'both.example',
        from: LOUD,
        to: LOUD,
        messages: 200,
        addresses: 1,
        networks: [{ isp: '', country: '', messages: 200, addresses: 1 }],
      },
    ]);
  });
});
