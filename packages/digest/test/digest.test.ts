import { describe, expect, it } from 'vitest';
import { type DigestFacts, digestHtml, digestOf, digestText } from '../src/index.ts';

const MARKUP = `"><img src=x onerror=alert(1)><script>alert(1)</script>`;
const links = { home: 'https://ledger.example/', unsubscribe: 'https://ledger.example/digest/unsubscribe?of=a.b.c' };

const empty: DigestFacts = {
  organization: 'Harbor',
  from: '2026-03-01',
  to: '2026-03-07',
  domains: [],
  items: [],
  events: { first: [], total: 0, critical: 0 },
  reports: 0,
};
const quiet: DigestFacts = {
  ...empty,
  reports: 14,
  domains: [
    { domain: 'a.example', now: { messages: 1_000, compliant: 990 }, before: { messages: 900, compliant: 890 } },
  ],
};
const busy: DigestFacts = {
  ...quiet,
  domains: [
    { domain: 'a.example', now: { messages: 1_000, compliant: 500 }, before: { messages: 900, compliant: 890 } },
    { domain: 'b.example', now: { messages: 100, compliant: 99 }, before: { messages: 100, compliant: 90 } },
    { domain: 'c.example', now: { messages: 20, compliant: 0 }, before: { messages: 20, compliant: 20 } },
  ],
  items: [
    { domain: 'a.example', type: 'dns_spf', severity: 'high', title: 'SPF record is missing', action: 'Publish one.' },
    {
      domain: 'b.example',
      type: 'policy_upgrade_ready',
      severity: 'low',
      title: 'Policy may be stricter',
      action: 'Go.',
    },
    ...Array.from({ length: 7 }, (_, i) => ({
      domain: `d${i}.example`,
      type: 'dns_dkim',
      severity: 'low' as const,
      title: 'DKIM keys need attention',
      action: MARKUP,
    })),
  ],
  events: {
    first: [{ severity: 'critical', title: MARKUP, domain: 'a.example', at: new Date('2026-03-05T10:00:00Z') }],
    total: 12,
    critical: 1,
  },
};

describe('a digest', () => {
  it('of a busy week says what happened, what to do first, what is ready and what changed', () => {
    const { subject, figures, sections } = digestOf(busy);
    expect(subject).toBe('DMARC of Harbor: 1 critical event');
    expect(figures).toEqual([
      { label: 'Messages', value: '1,120', change: '1,020 before' },
      { label: 'Passed DMARC', value: '53.48 %', change: '98.04 % before' },
      { label: 'Reports', value: '14', change: '' },
    ]);
    expect(sections.map(({ heading, rows, more }) => [heading, rows.length, more])).toEqual([
      ['What happened', 1, 'And 11 more events.'],
      ['What to do first', 5, 'And 3 more open items.'],
      ['Ready for a stricter policy', 1, ''],
      ['What changed', 2, ''],
    ]);
    expect(sections[3]!.rows.map(({ title, tone }) => [title, tone])).toEqual([
      ['a.example', 'warning'],
      ['b.example', 'good'],
    ]);
  });

  it('of a quiet week says that it was quiet, so that silence means a fault', () => {
    const digest = digestOf(quiet);
    expect(digest.subject).toBe('DMARC of Harbor: a quiet week');
    expect(digest.opening).toBe(
      '14 reports about mail from 2026-03-01 to 2026-03-07: 1,000 messages. Nothing happened that you need to know.',
    );
    expect(digest.sections).toEqual([]);
    expect(digestOf({ ...quiet, to: quiet.from }).subject).toBe('DMARC of Harbor: a quiet day');
    const open = { domain: 'a.test', type: 'dns_spf', severity: 'high', title: 'SPF is broken', action: 'Mend it.' };
    const urgent = digestOf({ ...quiet, items: [{ ...open, severity: 'high' }] });
    expect([urgent.subject, urgent.opening]).toEqual([
      'DMARC of Harbor: 1 urgent item',
      expect.stringMatching(/ Nothing new happened; what is still to be done stands below\.$/),
    ]);
    expect(digestOf({ ...quiet, items: [{ ...open, severity: 'low' }] }).subject).toBe('DMARC of Harbor: a quiet week');
  });

  it('has items that say the same once, with their number', () => {
    const drop = {
      domain: 'a.example',
      type: 'compliance_drop',
      severity: 'high' as const,
      title: 'Compliance dropped',
    };
    const items = [
      ...Array.from({ length: 3 }, () => ({ ...drop, action: 'Look at that day.' })),
      { ...drop, domain: 'b.example', action: 'Look at that day.' },
    ];
    const { sections } = digestOf({ ...quiet, items });
    expect(sections.map(({ rows, more }) => [rows.map(({ title }) => title), more])).toEqual([
      [['Compliance dropped: a.example (3 times)', 'Compliance dropped: b.example'], ''],
    ]);
  });

  it('names the most urgent items first, and those of domains with most mail before others', () => {
    const item = (domain: string, severity: 'high' | 'low') => ({
      domain,
      type: 'dns_spf',
      severity,
      title: 'T',
      action: 'A.',
    });
    const items = [
      item('a.example', 'low'),
      item('none.example', 'high'),
      item('a.example', 'high'),
      item('b.example', 'high'),
    ];
    const domains = ['a.example', 'b.example'].map((domain, i) => ({
      domain,
      now: { messages: 10 * (i + 1), compliant: 10 },
      before: { messages: 0, compliant: 0 },
    }));
    const { sections } = digestOf({ ...quiet, items, domains });
    expect(sections[0]?.rows.map(({ title, tone }) => [title, tone])).toEqual([
      ['T: b.example', 'critical'],
      ['T: a.example', 'critical'],
      ['T: none.example', 'critical'],
      ['T: a.example', 'neutral'],
    ]);
  });

  it('names the domain of an item, and none of what concerns the whole organization', () => {
    const item = { type: 'report_parse_failed', severity: 'high', title: 'Reports could not be read', action: 'A.' };
    const titles = ['', 'a.example'].map((domain) => {
      const { sections } = digestOf({ ...quiet, items: [{ ...item, domain, severity: 'high' }] });
      return sections[0]?.rows[0]?.title;
    });
    expect(titles).toEqual(['Reports could not be read', 'Reports could not be read: a.example']);
  });

  it('names a domain once where the title of its event names it already', () => {
    const title = 'Compliance dropped for a.example';
    const item = { type: 'compliance_drop', severity: 'high', title, action: 'A.', domain: 'a.example' } as const;
    expect(digestOf({ ...quiet, items: [item] }).sections[0]?.rows[0]?.title).toBe(title);
  });

  it.each([
    ['week', '2026-03-07', 'from 2026-03-01 to 2026-03-07'],
    ['day', '2026-03-01', 'on 2026-03-01'],
  ])('of a %s without reports says which days it means, and what to look at', (_, to, period) => {
    const { subject, opening, figures } = digestOf({ ...empty, to });
    expect(subject).toBe('DMARC of Harbor: no reports');
    expect(opening).toBe(
      `No report about mail ${period} has arrived. Receivers send reports daily, so check that the mailbox is read.`,
    );
    expect(figures[1]).toEqual({ label: 'Passed DMARC', value: 'no mail', change: '' });
  });

  it('never rounds to all or nothing', () => {
    const almost = [
      { domain: 'a.example', now: { messages: 1e6, compliant: 1e6 - 1 }, before: { messages: 0, compliant: 0 } },
    ];
    expect(digestOf({ ...quiet, domains: almost }).figures[1]!.value).toBe('99.99 %');
  });

  it('of a week without events in which a pass rate fell says so in its subject', () => {
    const subjectOf = (facts: Partial<DigestFacts>) => digestOf({ ...quiet, ...facts }).subject;
    const { domains } = busy;
    expect(subjectOf({ domains })).toBe('DMARC of Harbor: the pass rate of 2 domains changed');
    expect(subjectOf({ domains, events: undefined })).toBe('DMARC of Harbor: the pass rate of 2 domains changed');
    expect(subjectOf({ domains: domains.slice(1) })).toBe('DMARC of Harbor: the pass rate of 1 domain changed');
  });

  it('counts all critical events in its subject, not only those that it lists', () => {
    expect(digestOf({ ...busy, events: { ...busy.events!, critical: 12 } }).subject).toBe(
      'DMARC of Harbor: 12 critical events',
    );
  });

  it('for a reader who may not see events has none', () => {
    const { sections, subject } = digestOf({ ...busy, events: undefined });
    expect(sections.map(({ heading }) => heading)).not.toContain('What happened');
    expect(subject).toBe('DMARC of Harbor: 1 urgent item');
  });
});

describe('as a mail', () => {
  it.each([
    ['busy', busy],
    ['quiet', quiet],
    ['empty', empty],
  ])('a %s week loads nothing, runs nothing, and shows what strangers wrote as text', (_, facts) => {
    const html = digestHtml(digestOf({ ...facts, organization: MARKUP }), links);
    expect(html).not.toMatch(/<script|<img|<link|@import|url\(/);
    expect(html.match(/href="([^"]*)"/g)).toEqual([`href="${links.home}"`, `href="${links.unsubscribe}"`]);
    expect(html).toContain('prefers-color-scheme: dark');
  });

  it('has the same in plain text, with the link that ends it', () => {
    const text = digestText(digestOf(busy), links);
    expect(text).toContain('WHAT TO DO FIRST\n- SPF record is missing: a.example\n  Publish one.');
    expect(text).toContain(`Unsubscribe: ${links.unsubscribe}`);
    const without = digestText(digestOf(quiet), { home: undefined, unsubscribe: undefined });
    expect(without).not.toContain('http');
  });
});
