import { type Enrichment, findEnrichments } from '@dmarc-ledger/facts';
import { addDomain, decideSender, removeDomain, saveFacts, withdrawDecision } from '@dmarc-ledger/ledger';
import { transact } from '@dmarc-ledger/schema';
import type { BlocklistVerdict } from '@dmarc-ledger/sources';
import type { DescribedReport } from '@dmarc-ledger/testkit';
import { addDays, startOfDay, type Day, type SenderDecision } from '@dmarc-ledger/vocabulary';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openEventFixture, type EventFixture } from './event-fixture.ts';

const TODAY = '2026-03-10';
const YESTERDAY = '2026-03-09';
const domain = 'shop.example';

let fixture: EventFixture;
beforeEach(async () => {
  fixture = await openEventFixture();
  fixture.itIs(TODAY, 5);
  await addDomain(fixture.database.db, fixture.orgId, domain, {});
});
afterEach(() => fixture[Symbol.asyncDispose]());

let number = 0;
const report = (day: Day, records: DescribedReport['records'], reporter?: string): DescribedReport => ({
  id: `r-${(number += 1)}`,
  domain,
  begin: startOfDay(day),
  records,
  ...(reporter !== undefined && { reporter }),
});
const pass = { dkim: 'pass', spf: 'pass' } as const;

/** The findings of lookups about an address. */
async function applyFindings(ip: string, facts: Partial<Enrichment>, isChanged = true): Promise<void> {
  const [row] = await findEnrichments(fixture.database.db, [ip]);
  const at = new Date(`${TODAY}T00:00:00Z`);
  await transact(fixture.database, (session) =>
    saveFacts(session, [{ row: { ...row!, enriched_at: at, ...facts }, isChanged }]),
  );
  await fixture.judge();
}

/** The events about sources after so many hours; the resolved ones begin with a minus. */
async function events(day: Day, hours: number, minutes = 1): Promise<string[]> {
  fixture.itIs(day, hours, minutes);
  await fixture.look();
  const events = (await fixture.events()).filter(({ type }) => /source|subdomain|volume/.test(type));
  return events.map(({ key, resolved }) => (resolved === null ? key : `-${key}`));
}

const listed = {
  severity: 'critical',
  listed: 1,
  topList: 'Some List',
  tiers: [3],
  hasTorExit: false,
} as unknown as BlocklistVerdict;
const lists = (verdict: BlocklistVerdict, at: string) => ({ verdict, lists_at: new Date(at) });

describe('a source', () => {
  it('that is suspicious, and then malicious, raises an event of each', async () => {
    await fixture.arrive(report(YESTERDAY, [{ ip: '45.0.0.1', count: 30 }]));
    await applyFindings('45.0.0.1', { abuse_score: 40 });
    expect(await events(TODAY, 7)).toEqual([`suspicious_source/${domain}/45.0.0.1`]);
    await applyFindings('45.0.0.1', { abuse_score: 95, abuse_reports: 12 });
    expect(await events(TODAY, 8)).toEqual([
      `-suspicious_source/${domain}/45.0.0.1`,
      `malicious_source/${domain}/45.0.0.1`,
    ]);
    expect((await fixture.events()).at(-1)).toMatchObject({
      severity: 'critical',
      message: '45.0.0.1 sent 30 failing messages as shop.example. Reported for abuse 12 times; confidence 95%.',
    });
  });

  it('that is malicious, and then only suspicious, raises no second event beside the open one', async () => {
    await fixture.arrive(report(YESTERDAY, [{ ip: '45.0.0.1', count: 30 }]));
    await applyFindings('45.0.0.1', { abuse_score: 95, abuse_reports: 12 });
    expect(await events(TODAY, 7)).toEqual([`malicious_source/${domain}/45.0.0.1`]);
    await applyFindings('45.0.0.1', { abuse_score: 40 });
    expect(await events(TODAY, 8)).toEqual([`malicious_source/${domain}/45.0.0.1`]);
  });

  it('that is malicious is an open event again when its domain was removed by mistake, and it sends more', async () => {
    const mail = [{ ip: '45.0.0.1', count: 30 }];
    await fixture.arrive(report(YESTERDAY, mail));
    await applyFindings('45.0.0.1', { abuse_score: 95, abuse_reports: 12 });
    expect(await events(TODAY, 7)).toEqual([`malicious_source/${domain}/45.0.0.1`]);
    expect(await removeDomain(fixture.database, fixture.orgId, domain)).toBe(true);
    expect(await events(TODAY, 7, 5)).toEqual([`-malicious_source/${domain}/45.0.0.1`]);
    await addDomain(fixture.database.db, fixture.orgId, domain, {});
    await fixture.arrive(report(YESTERDAY, mail, 'other.example'));
    expect(await events(TODAY, 8)).toEqual([`malicious_source/${domain}/45.0.0.1`]);
  });

  it('that calls itself a list server raises an event, and one whose forwarding receivers vouch for does not', async () => {
    await fixture.arrive(report(addDays(TODAY, -3), [{ ip: '45.0.0.8', count: 1, ...pass }]));
    const named = { count: 60, spfDomain: 'lists.evil.example', spfResult: 'pass' };
    await fixture.arrive(
      report(YESTERDAY, [
        { ip: '45.0.0.6', ...named },
        { ip: '45.0.0.7', count: 60, reason: 'mailing_list' },
      ]),
    );
    for (const ip of ['45.0.0.6', '45.0.0.7']) await applyFindings(ip, {});
    const { rows } = await fixture.database.pool.query(
      'select host(source_ip) as ip, forwarded, proved from source_domain where forwarded > 0 order by 1',
    );
    expect(rows).toEqual([
      { ip: '45.0.0.6', forwarded: 60, proved: 0 },
      { ip: '45.0.0.7', forwarded: 60, proved: 60 },
    ]);
    expect(await events(TODAY, 7)).toEqual([`new_failing_source/${domain}/45.0.0.6`]);
  });

  it('that is listed raises an event when a second lookup agrees, until it is clean', async () => {
    const days = Array.from({ length: 10 }, (_, i) =>
      report(addDays(TODAY, -20 + i), [{ ip: '45.0.0.2', count: 100, ...pass }]),
    );
    await fixture.arrive(...days);
    await applyFindings('45.0.0.2', lists(listed, '2026-03-10T06:00:00Z'));
    expect(await events(TODAY, 7)).toEqual([]);
    expect(await events(TODAY, 12, 30)).toEqual([]); // no lookup has run since
    await applyFindings('45.0.0.2', lists(listed, '2026-03-10T12:40:00Z'), false);
    expect(await events(TODAY, 14)).toEqual([`source_blocklisted/${domain}/45.0.0.2/critical`]);
    expect((await fixture.events()).at(-1)?.message).toBe(
      '45.0.0.2 sends mail for shop.example and is listed on Some List.',
    );
    await applyFindings(
      '45.0.0.2',
      lists({ ...listed, severity: 'clean', listed: 0, tiers: [] }, '2026-03-10T18:40:00Z'),
    );
    expect(await events(TODAY, 19)).toEqual([
      `-source_blocklisted/${domain}/45.0.0.2/critical`,
      `source_delisted/${domain}/45.0.0.2`,
    ]);
  });

  it('that is listed raises no event by a check that could not confirm it, and one by the next that does', async () => {
    const days = [-20, -2].map((age) => report(addDays(TODAY, age), [{ ip: '45.0.0.2', count: 100, ...pass }]));
    await fixture.arrive(...days);
    await applyFindings('45.0.0.2', lists(listed, '2026-03-10T06:00:00Z'));
    expect(await events(TODAY, 7)).toEqual([]);
    await applyFindings('45.0.0.2', lists({ ...listed, isUnconfirmed: true }, '2026-03-10T12:40:00Z'), false);
    expect(await events(TODAY, 14)).toEqual([]);
    await applyFindings('45.0.0.2', lists(listed, '2026-03-10T15:00:00Z'), false);
    expect(await events(TODAY, 16)).toEqual([`source_blocklisted/${domain}/45.0.0.2/critical`]);
    await applyFindings('45.0.0.2', lists({ ...listed, isUnconfirmed: true }, '2026-03-10T17:00:00Z'), false);
    expect(await events(TODAY, 18)).toEqual([`source_blocklisted/${domain}/45.0.0.2/critical`]);
  });

  it('of a service raises an event by its service, once', async () => {
    const google = { hostname: 'mail-a1.google.com', ptr_state: 'confirmed' } as const;
    await fixture.arrive(
      report(
        YESTERDAY,
        ['45.0.0.3', '45.0.0.4'].map((ip) => ({ ip, count: 50, ...pass })),
      ),
    );
    await applyFindings('45.0.0.3', google);
    await applyFindings('45.0.0.4', google);
    const [first, ...others] = await events(TODAY, 7);
    expect(first).toMatch(new RegExp(`^new_source/${domain}/[a-z-]*google[a-z-]*$`));
    expect(others).toEqual([]);
    fixture.itIs('2026-03-14', 5);
    await fixture.arrive(report('2026-03-13', [{ ip: '45.0.0.5', count: 50, ...pass }]));
    await applyFindings('45.0.0.5', google);
    expect(await events('2026-03-14', 7)).toEqual([first]);
  });

  it('is no older for a forged report that is dated long ago, nor is its service known by one', async () => {
    const [failing, passing] = ['45.0.0.21', '45.0.0.22'];
    await fixture.arrive(
      report(addDays(TODAY, -20), [
        { ip: failing, count: 1 },
        { ip: passing, count: 1, ...pass },
      ]),
    );
    await fixture.database.pool.query('update report set unauthenticated = true');
    await fixture.arrive(
      report(YESTERDAY, [
        { ip: failing, count: 60 },
        { ip: passing, count: 60, ...pass },
      ]),
    );
    await applyFindings(failing, {});
    await applyFindings(passing, { hostname: 'o1.ptr1.sendgrid.net', ptr_state: 'confirmed' });
    expect(await events(TODAY, 7)).toEqual([
      `new_failing_source/${domain}/${failing}`,
      `new_source/${domain}/sendgrid`,
    ]);
  });

  it('is known by a report that may not be forged, also where another may be', async () => {
    const ip = '45.0.0.21';
    await fixture.arrive(report(addDays(TODAY, -20), [{ ip, count: 1 }]));
    await fixture.arrive(report(addDays(TODAY, -19), [{ ip, count: 1 }]));
    await fixture.database.pool.query('update report set unauthenticated = true where day = $1', [addDays(TODAY, -20)]);
    await fixture.arrive(report(YESTERDAY, [{ ip, count: 60 }]));
    await applyFindings(ip, {});
    expect(await events(TODAY, 7)).toEqual([]);
  });

  it('of a campaign raises none of its own, also where a report began on the evening before', async () => {
    const addresses = Array.from({ length: 12 }, (_, i) => `45.${i}.0.9`);
    await fixture.arrive({
      ...report(
        YESTERDAY,
        addresses.map((ip) => ({ ip, count: 60 })),
      ),
      begin: startOfDay(YESTERDAY) - 9 * 3_600,
    });
    for (const ip of addresses) await applyFindings(ip, {});
    fixture.itIs(TODAY, 7);
    await fixture.look();
    const raised = (await fixture.events()).map(({ key }) => key).filter((key) => !key.startsWith('first'));
    expect(raised).toEqual([`spoofing_campaign/${domain}/${YESTERDAY}`]);
  });

  it('without any facts raises an event by its address after an hour', async () => {
    await fixture.arrive(report(YESTERDAY, [{ ip: '45.0.0.6', count: 50 }]));
    expect(await events(TODAY, 5, 59)).toEqual([]);
    expect(await events(TODAY, 6)).toEqual([`new_failing_source/${domain}/45.0.0.6`]);
  });
});

it('a subdomain raises an event when it sends', async () => {
  const mail = (count: number) => [{ ip: '45.0.0.1', count, headerFrom: 'news.shop.example' }];
  await fixture.arrive(report(YESTERDAY, mail(9)));
  expect(await events(TODAY, 5)).toEqual([]);
  await fixture.arrive(report(YESTERDAY, mail(1)));
  expect(await events(TODAY, 5, 5)).toEqual(['subdomain_discovered/news.shop.example']);
});

describe('a sender that people have decided about', () => {
  const network = { domain, sender: '45.0.0.0/24' };
  const decided = async (decision: SenderDecision) => {
    const { db } = fixture.database;
    expect(await decideSender(db, fixture.orgId, network, { decision, owner: '', note: '', by: 'cli' })).toBe(true);
  };

  it('to be not theirs makes no task, and ends the one that is open', async () => {
    await fixture.arrive(report(YESTERDAY, [{ ip: '45.0.0.5', count: 60 }]));
    await applyFindings('45.0.0.5', {});
    expect(await events(TODAY, 7)).toEqual([`new_failing_source/${domain}/45.0.0.5`]);
    await decided('not_ours');
    expect(await events(TODAY, 7, 2)).toEqual([`-new_failing_source/${domain}/45.0.0.5`]);
    await fixture.arrive(report(YESTERDAY, [{ ip: '45.0.0.9', count: 70 }], 'other.example'));
    await applyFindings('45.0.0.9', {});
    expect(await events(TODAY, 8)).toEqual([`-new_failing_source/${domain}/45.0.0.5`]);
  });

  it('to be not theirs ends what is open about a dangerous address with one message', async () => {
    await fixture.arrive(report(YESTERDAY, [{ ip: '45.0.0.5', count: 1 }]));
    await applyFindings('45.0.0.5', { abuse_score: 95, abuse_reports: 12 });
    expect(await events(TODAY, 7)).toEqual([`malicious_source/${domain}/45.0.0.5`]);
    await decided('not_ours');
    expect(await events(TODAY, 7, 2)).toEqual([`-malicious_source/${domain}/45.0.0.5`]);
  });

  it('to be a forwarder ends what is open about its listing, though its mail passes', async () => {
    await fixture.arrive(report(YESTERDAY, [{ ip: '45.0.0.2', count: 100, ...pass }]));
    await applyFindings('45.0.0.2', lists(listed, '2026-03-10T06:00:00Z'));
    await events(TODAY, 7);
    await applyFindings('45.0.0.2', lists(listed, '2026-03-10T12:40:00Z'), false);
    expect(await events(TODAY, 14)).toContain(`source_blocklisted/${domain}/45.0.0.2/critical`);
    await decided('forwarder');
    expect(await events(TODAY, 14, 2)).toContain(`-source_blocklisted/${domain}/45.0.0.2/critical`);
  });

  it('by mistake to be not theirs is an open event again when the decision is corrected', async () => {
    await fixture.arrive(report(YESTERDAY, [{ ip: '45.0.0.5', count: 60 }]));
    await applyFindings('45.0.0.5', { abuse_score: 95, abuse_reports: 12 });
    expect(await events(TODAY, 7)).toEqual([`malicious_source/${domain}/45.0.0.5`]);
    await decided('not_ours');
    expect(await events(TODAY, 7, 2)).toEqual([`-malicious_source/${domain}/45.0.0.5`]);
    await decided('forwarder');
    expect(await events(addDays(TODAY, 2), 7)).toEqual([`malicious_source/${domain}/45.0.0.5`]);
  });

  it('to be theirs is a critical event when it breaks, however long it has been known', async () => {
    await fixture.arrive(report(addDays(TODAY, -60), [{ ip: '45.0.0.5', count: 500, ...pass }]));
    await applyFindings('45.0.0.5', {});
    await decided('ours');
    expect(await events(TODAY, 7)).toEqual([]);
    await fixture.arrive(report(YESTERDAY, [{ ip: '45.0.0.5', count: 60 }]));
    expect(await events(TODAY, 8)).toEqual([`new_failing_source/${domain}/45.0.0.0/24`]);
    expect((await fixture.events()).at(-1)).toMatchObject({
      severity: 'critical',
      message: '45.0.0.0/24 is yours, and 60 messages it sent as shop.example within 7 days failed DMARC.',
    });
  });

  it('to be theirs breaks by no mail whose forwarding receivers vouch for', async () => {
    await fixture.arrive(report(addDays(TODAY, -60), [{ ip: '45.0.0.5', count: 500, ...pass }]));
    await applyFindings('45.0.0.5', {});
    await decided('ours');
    await fixture.arrive(report(YESTERDAY, [{ ip: '45.0.0.5', count: 60, reason: 'mailing_list' }]));
    expect(await events(TODAY, 8)).toEqual([]);
    await fixture.arrive(report(YESTERDAY, [{ ip: '45.0.0.5', count: 50 }], 'Another'));
    expect(await events(TODAY, 9)).toEqual([`new_failing_source/${domain}/45.0.0.0/24`]);
    expect((await fixture.events()).at(-1)?.message).toContain('and 50 messages it sent');
  });

  it('makes no difference once the decision is withdrawn', async () => {
    await fixture.arrive(report(addDays(TODAY, -60), [{ ip: '45.0.0.5', count: 500, ...pass }]));
    await applyFindings('45.0.0.5', {});
    await decided('ours');
    expect(await withdrawDecision(fixture.database.db, fixture.orgId, network, 'cli')).toBe(true);
    await fixture.arrive(report(YESTERDAY, [{ ip: '45.0.0.5', count: 60 }]));
    expect(await events(TODAY, 8)).toEqual([]);
  });
});

describe('volume that drops', () => {
  const days = (from: number, count: number) => Array.from({ length: count }, (_, i) => addDays(TODAY, i - from));
  const some = (count: number) => [{ ip: '45.0.0.1', count, ...pass }];
  const usual = days(17, 14).flatMap((day) => ['One', 'Two'].map((name) => report(day, some(200), name)));
  it.each([
    ['raises an event', ['One', 'Two'], ['volume_drop/shop.example']],
    ['raises none when a reporter is missing', ['One'], []],
  ])('%s', async (_, reporters, expected) => {
    fixture.itIs(TODAY, 4);
    const low = days(3, 3).flatMap((day) => reporters.map((name) => report(day, some(10), name)));
    await fixture.arrive(...usual, ...low);
    expect((await events(TODAY, 5)).filter((key) => key.startsWith('volume'))).toEqual(expected);
  });

  it('raises an event when a usual reporter sends later than the others', async () => {
    const volume = async (hours: number) => (await events(TODAY, hours)).filter((key) => key.startsWith('volume'));
    fixture.itIs(TODAY, 4);
    const low = (name: string, from: number, count: number) =>
      days(from, count).map((day) => report(day, some(10), name));
    const before = days(18, 14).flatMap((day) => ['One', 'Two'].map((name) => report(day, some(200), name)));
    await fixture.arrive(...before, ...low('One', 4, 4), ...low('Two', 4, 2));
    expect(await volume(5)).toEqual([]);
    fixture.itIs(TODAY, 12);
    await fixture.arrive(...low('Two', 2, 1));
    expect(await volume(13)).toEqual(['volume_drop/shop.example']);
  });
});
