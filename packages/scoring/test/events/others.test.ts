import {
  alertTypes,
  pathOf,
  type DmarcPolicy,
  type EffectivePolicy,
  type SenderDecision,
} from '@dmarc-ledger/vocabulary';
import { describe, expect, it } from 'vitest';
import {
  holding,
  isFailingTls,
  judgeArrival,
  judgeKey,
  judgeNames,
  judgeQuota,
  judgeSource,
  judgeUnread,
  judgeUpgrade,
  rearmOf,
  spamRate,
  type ArrivalFacts,
  type Judgement,
  type SourceFacts,
} from '../../src/index.ts';

const domain = 'example.com';
const now = new Date('2026-03-20T12:00:00Z');
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const ago = (ms: number) => new Date(now.getTime() - ms);
const keys = (judgements: readonly Judgement[]) => judgements.map(({ state, key }) => `${state} ${key}`);
const messages = (judgements: readonly Judgement[]) =>
  judgements.flatMap((one) => (one.state === 'holds' ? one.message : []));

describe('arrival', () => {
  const facts: ArrivalFacts = {
    domain,
    now,
    isDiscovered: false,
    reportedAt: ago(HOUR),
    firstReporter: undefined,
    daysBefore: 3,
    stop: undefined,
    hasResumed: false,
  };
  const stop = { eventId: 'e-1', raisedAt: ago(DAY) };
  it.each<[string, Partial<ArrivalFacts>, string[]]>([
    ['the first report', { firstReporter: 'Reporter' }, ['holds first_report_received/example.com']],
    [
      'the first about a domain that was discovered',
      { firstReporter: 'Reporter', isDiscovered: true },
      ['holds first_report_received/example.com', 'holds domain_discovered/example.com'],
    ],
    ['silence of 96 hours', { reportedAt: ago(96 * HOUR) }, ['holds reports_stopped/example.com']],
    ['silence of less', { reportedAt: ago(96 * HOUR - 1) }, []],
    ['silence after 2 report days', { reportedAt: ago(96 * HOUR), daysBefore: 2 }, []],
    ['a domain that has no reports', { reportedAt: null }, []],
    ['a report after silence that may be forged', { stop }, []],
    [
      'a report after silence',
      { stop, hasResumed: true },
      ['over reports_stopped/example.com', 'holds reports_resumed/example.com/e-1'],
    ],
  ])('%s', (_, more, expected) => expect(keys(judgeArrival({ ...facts, ...more }))).toEqual(expected));

  it('says since when nothing came', () =>
    expect(messages(judgeArrival({ ...facts, reportedAt: ago(5 * DAY) }))).toEqual([
      'No DMARC report has arrived for example.com since 2026-03-15. Check the rua address.',
    ]));
});

describe('names', () => {
  const seen = { parts: ['shop.example.com'], firstDay: '2026-03-18', day: '2026-03-19', messages: 10 };
  it.each([
    ['with 10 messages', {}, 1],
    ['with 9', { messages: 9 }, 0],
    ['first seen six days ago', { firstDay: '2026-03-14' }, 1],
    ['first seen a week ago', { firstDay: '2026-03-13' }, 0],
    ['of three days ago', { day: '2026-03-17' }, 1],
    ['of the fourth day', { day: '2026-03-16', firstDay: '2026-03-16' }, 0],
    ['that were known', { firstDay: '2026-03-15' }, 0],
  ])('%s', (_, more, count) => {
    const known = { today: '2026-03-20', knownUntil: _ === 'that were known' ? '2026-03-15' : '2026-01-01' };
    expect(judgeNames('subdomain_discovered', domain, [{ ...seen, ...more }], known)).toHaveLength(count);
  });

  it('that are keys are identified by their pair', () => {
    const pair = { ...seen, parts: ['mail.example.com', 's1'] };
    const raised = judgeNames('dkim_selector_new', domain, [pair], { today: '2026-03-20', knownUntil: '2026-01-01' });
    expect(raised).toMatchObject([
      {
        key: 'dkim_selector_new/example.com/mail.example.com/s1',
        place: { page: 'dns_record', domain: 'example.com', protocol: 'dkim' },
      },
    ]);
  });
});

describe('a source', () => {
  const source: SourceFacts = {
    domain,
    ip: '203.0.113.5',
    now,
    class: 'authenticated',
    firstSeen: ago(2 * DAY),
    messages: 20,
    failing: 0,
    failingOfLate: 0,
    messagesOfWeek: 20,
    messagesOfLate: 20,
    service: undefined,
    decided: undefined,
    isOfCampaign: false,
    stoodFor: { bySender: false, byMalicious: false },
    isMalicious: false,
    reason: undefined,
    since: ago(HOUR),
    isLookedUp: true,
    listing: {
      severity: 'clean',
      at: ago(HOUR),
      topList: undefined,
      isUnconfirmed: false,
      isOver: true,
      before: undefined,
      open: [],
    },
  };
  const service = { slug: 'postman', name: 'Postman', isKnown: false };
  const failing = { class: 'needs_review', messages: 50, failing: 50, failingOfLate: 50 } as const;
  const suspicious = {
    class: 'suspicious',
    messages: 20,
    failing: 20,
    failingOfLate: 20,
    firstSeen: ago(90 * DAY),
  } as const;
  it.each<[string, Partial<SourceFacts>, string[]]>([
    ['new, with 20 messages', {}, ['holds new_source/example.com/203.0.113.5']],
    ['with 19', { messages: 19 }, []],
    ['first seen 7 days ago', { firstSeen: ago(7 * DAY) }, ['holds new_source/example.com/203.0.113.5']],
    ['first seen before', { firstSeen: ago(7 * DAY + 1) }, []],
    ['of a service', { service }, ['holds new_source/example.com/postman']],
    ['of a known service', { service: { ...service, isKnown: true } }, []],
    ['new and failing, 50', failing, ['holds new_failing_source/example.com/203.0.113.5']],
    ['new and failing, 49', { ...failing, failing: 49 }, []],
    ['failing for long', { ...failing, firstSeen: ago(8 * DAY) }, []],
    ['forwarding', { class: 'likely_forwarded', failing: 500 }, []],
    ['suspicious, 20', suspicious, ['holds suspicious_source/example.com/203.0.113.5']],
    ['suspicious, 19 of late', { ...suspicious, failingOfLate: 19 }, []],
    [
      'malicious, 1',
      { ...suspicious, failingOfLate: 1, isMalicious: true },
      ['holds malicious_source/example.com/203.0.113.5', 'over suspicious_source/example.com/203.0.113.5'],
    ],
    [
      'suspicious, 20, while the event that it is malicious is open',
      { ...suspicious, stoodFor: { bySender: false, byMalicious: true } },
      [],
    ],
    ['malicious, and silent', { ...suspicious, failingOfLate: 0, isMalicious: true }, []],
    ['not looked up yet', { isLookedUp: false, since: ago(HOUR - 1) }, []],
    ['not looked up in an hour', { isLookedUp: false }, ['holds new_source/example.com/203.0.113.5']],
  ])('%s', (_, more, expected) => expect(keys(judgeSource({ ...source, ...more }).judgements)).toEqual(expected));

  const decided = (decision: SenderDecision, sender = '203.0.113.0/24') => ({ decided: { decision, sender } });
  const broken = { ...failing, firstSeen: ago(90 * DAY), messagesOfWeek: 100 };
  it.each<[string, Partial<SourceFacts>, string[]]>([
    [
      'ours, known for long: 50 of 100 fail',
      { ...broken, ...decided('ours') },
      ['over new_failing_source/example.com/203.0.113.5', 'holds new_failing_source/example.com/203.0.113.0/24'],
    ],
    ['ours: 50 of 101 fail', { ...broken, messagesOfWeek: 101, ...decided('ours') }, []],
    ['ours: 49 of 60 fail', { ...broken, failingOfLate: 49, messagesOfWeek: 60, ...decided('ours') }, []],
    [
      'ours, new: 50 of 101 fail',
      { ...failing, messagesOfWeek: 101, ...decided('ours') },
      ['holds new_failing_source/example.com/203.0.113.5'],
    ],
    [
      'ours, new: 50 of 101 fail, while the event about the sender is open',
      { ...failing, messagesOfWeek: 101, ...decided('ours'), stoodFor: { bySender: true, byMalicious: false } },
      [],
    ],
    [
      'ours, a service',
      { ...broken, service, ...decided('ours', 'postman') },
      ['holds new_failing_source/example.com/postman'],
    ],
    [
      'a forwarder, new and failing',
      { ...failing, ...decided('forwarder') },
      ['over new_failing_source/example.com/203.0.113.5'],
    ],
    [
      'a forwarder, suspicious',
      { ...suspicious, ...decided('forwarder') },
      ['over new_failing_source/example.com/203.0.113.5', 'holds suspicious_source/example.com/203.0.113.5'],
    ],
    [
      'not ours, new and failing',
      { ...failing, ...decided('not_ours') },
      [
        'over new_failing_source/example.com/203.0.113.5',
        'over suspicious_source/example.com/203.0.113.5',
        'over malicious_source/example.com/203.0.113.5',
      ],
    ],
    [
      'not ours, malicious',
      { ...suspicious, isMalicious: true, ...decided('not_ours') },
      [
        'over new_failing_source/example.com/203.0.113.5',
        'over suspicious_source/example.com/203.0.113.5',
        'over malicious_source/example.com/203.0.113.5',
      ],
    ],
    [
      'not ours, but it passes',
      decided('not_ours'),
      [
        'holds new_source/example.com/203.0.113.5',
        'over new_failing_source/example.com/203.0.113.5',
        'over suspicious_source/example.com/203.0.113.5',
        'over malicious_source/example.com/203.0.113.5',
      ],
    ],
  ])('decided: %s', (_, more, expected) =>
    expect(keys(judgeSource({ ...source, ...more }).judgements)).toEqual(expected),
  );

  it('of one’s own that breaks is critical, and named as one’s own', () =>
    expect(judgeSource({ ...source, ...broken, ...decided('ours', 'postman'), service }).judgements).toEqual([
      expect.objectContaining({
        severity: 'critical',
        title: 'Own sender fails: Postman',
        message: 'Postman is yours, and 50 messages it sent as example.com within 7 days failed DMARC.',
      }),
    ]));

  const old = { ...source, firstSeen: ago(90 * DAY), messagesOfLate: 50 };
  const listing = {
    severity: 'critical',
    at: now,
    topList: 'Some List',
    isUnconfirmed: false,
    isOver: false,
    open: [],
    before: undefined,
  };
  const first = (hours: number, severity: 'critical' | 'warning' = 'critical') => ({ severity, at: ago(hours * HOUR) });
  it.each<[string, Partial<SourceFacts>, string[]]>([
    ['once', { listing }, []],
    [
      'twice in 6 hours',
      { listing: { ...listing, before: first(6) } },
      ['holds source_blocklisted/example.com/203.0.113.5/critical'],
    ],
    ['twice within 6 hours', { listing: { ...listing, before: first(5.99) } }, []],
    ['twice, but worse', { listing: { ...listing, before: first(6, 'warning') } }, []],
    ['with 49 messages', { messagesOfLate: 49, listing: { ...listing, before: first(6) } }, []],
    ['as reported', { listing: { ...listing, before: first(6), open: ['critical'] } }, []],
    [
      'no more',
      { listing: { ...listing, severity: 'clean', isOver: true, open: ['critical'] } },
      ['over source_blocklisted/example.com/203.0.113.5/critical', 'holds source_delisted/example.com/203.0.113.5'],
    ],
    ['again, but only by an earlier check', { listing: { ...listing, isUnconfirmed: true, before: first(6) } }, []],
    ['perhaps', { listing: { ...listing, severity: 'degraded', open: ['critical'] } }, []],
    ['and a forwarder', { listing: { ...listing, before: first(6) }, ...decided('forwarder') }, []],
    [
      'and not ours, as was decided after the event',
      { listing: { ...listing, open: ['warning'] }, ...decided('not_ours') },
      ['over source_blocklisted/example.com/203.0.113.5/warning'],
    ],
    [
      'and ours',
      { listing: { ...listing, before: first(6) }, ...decided('ours') },
      ['holds source_blocklisted/example.com/203.0.113.5/critical'],
    ],
  ])('is listed: %s', (_, more, expected) =>
    expect(
      keys(judgeSource({ ...old, ...more }).judgements).filter((key) => /source_(block|de)listed/.test(key)),
    ).toEqual(expected),
  );

  it('whose listing is not confirmed is listed since the same time, when it is confirmed', () => {
    const before = first(6);
    const { listed, lookAt } = judgeSource({ ...old, listing: { ...listing, isUnconfirmed: true, before } });
    expect(listed).toEqual(before);
    expect(lookAt).toEqual(new Date(now.getTime() + HOUR));
  });

  it('that is listed once is looked at again', () => {
    const { listed, lookAt } = judgeSource({ ...old, listing });
    expect(listed).toEqual({ severity: 'critical', at: now });
    expect(lookAt).toEqual(new Date(now.getTime() + 6 * HOUR));
  });

  it.each<[string, Partial<SourceFacts>, number]>([
    ['without a service, which the campaign stands for', {}, 0],
    ['of a service, which may be yours', { service }, 1],
  ])('of a spoofing campaign, %s', (_, more, count) =>
    expect(judgeSource({ ...source, ...failing, isOfCampaign: true, ...more }).judgements).toHaveLength(count),
  );

  it('that reports date after today is not new', () =>
    expect(judgeSource({ ...source, firstSeen: ago(-HOUR) }).judgements).toEqual([]));

  it('says why the source is suspicious', () =>
    expect(messages(judgeSource({ ...source, ...suspicious, reason: 'Reverse DNS is missing.' }).judgements)).toEqual([
      '203.0.113.5 sent 20 failing messages as example.com. Reverse DNS is missing.',
    ]));
});

describe('a stricter policy', () => {
  const valid = { status: 'warning', policy: { p: 'none', sp: undefined, pct: 100, t: false } } as const;
  const window = (days: number, passed: number, count = 1_000, today = '2026-03-24') => ({
    today,
    window: Array.from({ length: days }, (_, i) => {
      const compliant = (passed * count) / 100;
      return { day: `2026-03-${10 + i}`, messages: count, compliant, proved: 0, spfPass: 0, dkimPass: 0 };
    }),
  });
  const full = (p: DmarcPolicy): EffectivePolicy => ({ p, sp: undefined, pct: 100, t: false });
  const below = (...names: string[]) => names.map((name) => `over policy_upgrade_ready/example.com/${name}`);
  it.each<[string, DmarcPolicy, number, number, number, string[]]>([
    ['none at 98%', 'none', 14, 98, 1_000, ['holds policy_upgrade_ready/example.com/none']],
    ['none at 97.9%', 'none', 14, 97.9, 1_000, []],
    ['none after 13 days', 'none', 13, 100, 1_000, []],
    ['none with too little mail', 'none', 14, 100, 7, []],
    [
      'quarantine at 99%',
      'quarantine',
      14,
      99,
      1_000,
      [...below('none', 'quarantine_partly'), 'holds policy_upgrade_ready/example.com/quarantine'],
    ],
    ['quarantine at 98.9%', 'quarantine', 14, 98.9, 1_000, below('none', 'quarantine_partly')],
    ['reject', 'reject', 14, 100, 1_000, below('none', 'quarantine_partly', 'quarantine', 'reject_partly')],
  ])('%s', (_, policy, days, passed, count, expected) =>
    expect(keys(judgeUpgrade(domain, full(policy), window(days, passed, count), valid))).toEqual(expected),
  );

  it.each([
    ['2026-03-30', 1],
    ['2026-03-31', 0],
  ])('is not said of mail that was reported until 2026-03-23 on %s', (today, count) =>
    expect(judgeUpgrade(domain, full('none'), window(14, 100, 1_000, today), valid)).toHaveLength(count),
  );

  it.each<[Partial<EffectivePolicy> & Pick<EffectivePolicy, 'p'>, string]>([
    [
      { p: 'quarantine', pct: 50 },
      '100% of mail from example.com passes DMARC. You can apply quarantine to all of it.',
    ],
    [
      { p: 'quarantine', t: true },
      '100% of mail from example.com passes DMARC. You can apply quarantine to all of it.',
    ],
    [{ p: 'reject', pct: 50 }, '100% of mail from example.com passes DMARC. You can apply reject to all of it.'],
  ])('is applied to all mail before it rises: %o', (policy, message) =>
    expect(messages(judgeUpgrade(domain, { ...full('none'), ...policy }, window(14, 100), valid))).toEqual([message]),
  );

  it.each([
    ['was ever read', undefined],
    ['is valid', { status: 'error', policy: null }],
    ['is the only one', { status: 'error', policy: { p: 'none', sp: undefined, pct: 100, t: false } as const }],
  ])('is not advised where no record %s', (_, dmarc) =>
    expect(judgeUpgrade(domain, full('none'), window(14, 100), dmarc)).toEqual([]),
  );
});

describe('other reports', () => {
  it.each([
    [10, 489, true],
    [10, 490, false],
    [9, 0, false],
  ])('%s failed TLS sessions beside %s', (failures, successes, expected) =>
    expect(isFailingTls({ failures, successes })).toBe(expected),
  );

  const row = (spam: number, rest: number, category = 'spam') => [
    { category, value: spam },
    { category: 'inbox', value: rest },
  ];
  it.each([
    ['10.1% of 1,000', [row(101, 899)], 10.1],
    ['10%', [row(100, 900)], undefined],
    ['of 999', [row(500, 499)], undefined],
    ['junk and unwanted', [[...row(60, 900, 'Junk'), { category: 'UNWANTED', value: 60 }]], 11.76],
    ['rows that are not added up', [row(600, 399), row(600, 399)], undefined],
    ['none', [null], undefined],
  ])('spam: %s', (_, rows, expected) => expect(spamRate(rows)).toBe(expected));
});

describe('the organization', () => {
  it.each([
    [2, []],
    [3, ['3 attachments received in the last 24 hours could not be read.']],
  ])('%s unreadable attachments', (count, expected) => expect(messages(judgeUnread(count))).toEqual(expected));

  it.each([
    [799, undefined],
    [800, 'warning'],
    [999, 'warning'],
    [1_000, 'critical'],
  ])('%s of 1000 requests', (used, severity) => {
    const raised = judgeQuota({ used, limit: 1_000, now }).map((one) => [one.key, one.severity]);
    expect(raised).toEqual(severity ? [['quota_near_limit/2026-03-20T12Z', severity]] : []);
  });

  it.each([
    ['14 days and a moment', 14 * DAY + 1, undefined],
    ['14 days', 14 * DAY, 'api_key_expiring/k/14'],
    ['3 days and a moment', 3 * DAY + 1, 'api_key_expiring/k/14'],
    ['3 days', 3 * DAY, 'api_key_expiring/k/3'],
    ['no time', 0, undefined],
  ])('a key with %s left', (_, left, expected) =>
    expect(judgeKey({ id: 'k', name: 'Key', expiresAt: new Date(now.getTime() + left), now })[0]?.key).toBe(expected),
  );
});

describe('every type', () => {
  it.each(alertTypes.map(({ code }) => code))('%s has a title, a sentence and a link without gaps', (code) => {
    const raised = holding(code, { domain, protocol: 'spf', ip: '192.0.2.1' });
    expect(raised.title).not.toMatch(/\.$/);
    expect(raised.message).toMatch(/\.$/);
    expect(pathOf(raised.place)).not.toMatch(/[{}]|undefined|\/\//);
    expect(Object.values(raised.place)).not.toContain('');
    expect(raised.key).toBe(`${code}/${domain}`);
    expect(rearmOf[code]).toBeDefined();
  });
});
