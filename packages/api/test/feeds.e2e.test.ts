import { idText, newId, startOfDay } from '@dmarc-ledger/vocabulary';
import { givenReports } from '@dmarc-ledger/testkit';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { valueOf } from '../../../test/support/exposition.ts';
import { MOST_DOMAINS, metricsText } from '../src/ext/metrics-text.ts';
import { overviewExample } from '../src/v1/overview-example.ts';
import { givenOrganization, serveApi, type Served } from './served.ts';

const MARKUP = '</title><script>alert(1)</script> & "quoted" \u0007 \uFFFE\uFFFF ]]>';
let served: Served;
let org: Awaited<ReturnType<typeof givenOrganization>>;
let other: typeof org;

beforeAll(async () => {
  served = await serveApi();
  org = await givenOrganization(served, 'Feeds');
  other = await givenOrganization(served, 'Other');
  await givenReports(served.db, org.id, [
    { domain: 'a.example', records: [{ ip: '192.0.2.1', count: 75 }] },
    { domain: 'b.example', records: [{ ip: '192.0.2.1', count: 25, dkim: false, spf: false, class: 'needs_review' }] },
  ]);
  const event = (title: string, at: string) => ({
    org_id: org.id,
    id: newId(),
    type: 'dmarc_record_missing',
    severity: 'critical' as const,
    title,
    message: MARKUP,
    domain: 'a.example',
    link: '/domains/a.example/dns/dmarc',
    dedup_key: `test/${title}`,
    created_at: new Date(at),
  });
  const events = [event('older', '2026-03-08T10:00:00Z'), event(MARKUP, '2026-03-09T10:00:00Z')];
  await served.db.insertInto('event').values(events).execute();
});
afterAll(() => served[Symbol.asyncDispose]());

describe('metrics of an organization', () => {
  it('are the figures of the overview, in the text format of Prometheus', async () => {
    const { status, headers, text } = await org.ask('/ext/v1/metrics');
    const { body: overview } = await org.get('/dashboard/overview');
    expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
    expect(valueOf(text, 'dmarc_messages')).toBe(100);
    expect(valueOf(text, 'dmarc_compliance_ratio')).toBe(overview.org_health.compliance_rate / 100);
    expect(overview.domain_cards).toHaveLength(2);
    for (const { domain, score, total_messages, compliance_rate } of overview.domain_cards) {
      expect(valueOf(text, 'dmarc_domain_score', { domain })).toBe(score);
      expect(valueOf(text, 'dmarc_domain_messages', { domain })).toBe(total_messages);
      expect(valueOf(text, 'dmarc_domain_compliance_ratio', { domain })).toBe(compliance_rate / 100);
    }
  });

  it.each([
    ['is the newest one', ['2026-03-01', '2026-02-09'], '2026-03-01'],
    ['is not one dated after today', ['2026-02-09', '2027-03-09'], '2026-02-09'],
    ['may be today', ['2026-02-09', '2026-03-10'], '2026-03-10'],
    ['is absent while every report is dated after today', ['2027-03-09'], undefined],
    ['is absent before the first report', [], undefined],
  ])('have the day of the newest report, which %s', async (title, days, expected) => {
    const one = await givenOrganization(served, title);
    const reports = days.map((day) => ({ begin: `${day}T00:00:00Z`, end: `${day}T23:59:59Z`, records: [{}] }));
    await givenReports(served.db, one.id, reports);
    const { text } = await one.ask('/ext/v1/metrics');
    expect(valueOf(text, 'dmarc_newest_report_day_timestamp_seconds')).toBe(expected && startOfDay(expected));
  });

  it('are those of the key’s organization alone', async () => {
    const { text } = await other.ask('/ext/v1/metrics');
    expect(valueOf(text, 'dmarc_messages')).toBe(0);
    expect(text).not.toContain('a.example');
    expect((await served.get('/ext/v1/metrics')).status).toBe(401);
  });

  it('have series for the busiest domains, however many a stranger makes up', async () => {
    const [card] = overviewExample.domain_cards;
    const cards = Array.from({ length: MOST_DOMAINS + 500 }, (_, i) => ({
      ...card!,
      domain: `d${i}.example`,
      total_messages: i,
    }));
    const text = await metricsText({ ...overviewExample, domain_cards: cards }, undefined);
    expect(valueOf(text, 'dmarc_domains_omitted')).toBe(500);
    expect(text.match(/^dmarc_domain_score\{/gm)).toHaveLength(MOST_DOMAINS);
    expect(valueOf(text, 'dmarc_domain_score', { domain: 'd499.example' })).toBeUndefined();
    expect(valueOf(text, 'dmarc_domain_score', { domain: 'd500.example' })).toBe(card!.score);
  });

  it('writes a share as the rate that v1 has, without the error of a division', async () => {
    const health = { ...overviewExample.org_health, compliance_rate: 64.99 };
    expect(64.99 / 100).not.toBe(0.6499);
    expect(await metricsText({ ...overviewExample, org_health: health }, undefined)).toContain(
      'dmarc_compliance_ratio 0.6499\n',
    );
  });
});

describe('the feed of events', () => {
  const basic = (user: string, password: string) => ({
    authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
  });

  it('has the newest event first, each with the same id at every reading', async () => {
    const { status, headers, text } = await org.ask('/ext/v1/events.atom');
    expect([status, headers.get('content-type')]).toEqual([200, 'application/atom+xml; charset=utf-8']);
    expect(XMLValidator.validate(text)).toBe(true);
    const { feed } = new XMLParser({ ignoreAttributes: false }).parse(text);
    expect(feed.entry).toHaveLength(2);
    expect(feed.entry[1]).toMatchObject({
      title: 'older',
      link: { '@_href': `/domains/a.example/dns/dmarc?org=${idText(org.id)}` },
    });
    expect(feed.updated).toBe('2026-03-09T10:00:00Z');
    expect((await org.ask('/ext/v1/events.atom')).text).toBe(text);
    const { text: one } = await org.ask('/ext/v1/events.atom?limit=1');
    expect(one.match(/<entry>/g)).toHaveLength(1);
  });

  it('shows what a stranger wrote as text', async () => {
    const { text } = await org.ask('/ext/v1/events.atom');
    expect(text).not.toContain('<script');
    // no XML: a reader would refuse the whole feed
    for (const forbidden of ['\u0007', '\uFFFE', '\uFFFF']) expect(text).not.toContain(forbidden);
    const { feed } = new XMLParser({ processEntities: true }).parse(text);
    expect(feed.entry[0].summary).toContain('<script>alert(1)</script> & "quoted"');
  });

  it('takes the key as a password too, of any user, and no other password', async () => {
    const { status } = await served.get('/ext/v1/events.atom', basic('anybody', org.key));
    expect(status).toBe(200);
    for (const headers of [basic('anybody', 'no key'), basic(org.key, ''), { authorization: 'Basic !' }, {}]) {
      const refused = await served.get('/ext/v1/events.atom', headers);
      expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
        401,
        'Basic realm="api", charset="UTF-8"',
      ]);
    }
    expect((await served.get('/v1/events', basic('anybody', org.key))).status).toBe(401);
    expect((await served.get('/ext/v1/metrics', basic('anybody', org.key))).status).toBe(401);
  });

  it('has no entry of another organization, and is a feed without any', async () => {
    const { text } = await other.ask('/ext/v1/events.atom');
    expect(XMLValidator.validate(text)).toBe(true);
    expect(text).not.toContain('<entry>');
  });
});
