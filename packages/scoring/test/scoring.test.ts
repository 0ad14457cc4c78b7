import {
  adviceOf,
  actionItems,
  dnsGaps,
  effectivePolicy,
  gradeOf,
  healthStateOf,
  openItems,
  policyStrength,
  scoreOf,
  type GapFacts,
} from '@dmarc-ledger/scoring';
import { alertTypes, type AlertCode, type DkimKeyFact, type EffectivePolicy } from '@dmarc-ledger/vocabulary';
import { describe, expect, it } from 'vitest';

type P = 'none' | 'quarantine' | 'reject';

describe('the policy that counts', () => {
  const reportedPolicy = { p: 'none', sp: undefined, pct: 100, t: false } as const;
  const now = new Date('2026-03-10T00:00:00Z');
  const read = (policyReadAt: string | null, status = 'ok') => {
    const policy = policyReadAt === null ? null : ({ p: 'reject', sp: undefined, pct: 100, t: false } as const);
    const kept = {
      status,
      details: '',
      hasRecord: true,
      records: [],
      facts: null,
      kept: null,
      inheritedFrom: null,
      policy,
    };
    return new Map([['dmarc', { ...kept, policyReadAt: policyReadAt === null ? null : new Date(policyReadAt) }]]);
  };
  it.each([
    ['is what the DNS says', read('2026-03-09T00:00:00Z'), 'reject'],
    ['is what it said within a week, though later checks failed', read('2026-03-03T00:00:01Z', 'unknown'), 'reject'],
    ['is what the newest report says, when that is longer ago', read('2026-03-03T00:00:00Z', 'unknown'), 'none'],
    ['or when the DNS has no policy', read(null, 'error'), 'none'],
    ['or was never asked', new Map(), 'none'],
  ])('%s', (_, findings, expected) => expect(effectivePolicy({ findings, reportedPolicy }, now)?.p).toBe(expected));
});

describe('the strength of a policy', () => {
  it.each<[P, P | undefined, number, boolean, number]>([
    ['reject', undefined, 100, false, 100],
    ['reject', undefined, 50, false, 87.5],
    ['reject', 'quarantine', 100, false, 95],
    ['reject', undefined, 0, false, 75],
    ['reject', 'none', 100, false, 85],
    ['quarantine', undefined, 50, false, 50],
    ['quarantine', undefined, 100, false, 75],
    ['reject', undefined, 100, true, 75],
    ['quarantine', 'reject', 100, false, 80],
    ['quarantine', undefined, 100, true, 25],
    ['none', 'reject', 100, false, 40],
    ['reject', 'none', 100, true, 65],
    ['none', undefined, 10, false, 25],
  ])('p=%s sp=%s pct=%d t=%s is %d', (p, sp, pct, t, expected) =>
    expect(policyStrength({ p, sp, pct, t })).toBe(expected),
  );

  it('without a policy is 0', () => expect(policyStrength(undefined)).toBe(0));
});

describe('a score', () => {
  it.each([
    [160, 125, 120, 125, 75, 76.88, 'C'],
    [52, 42, 42, 12, 25, 58.08, 'F'],
    [212, 167, 162, 137, 50, 69.72, 'D'],
    [3, 2, 2, 1, 50, 56.67, 'F'],
    [100, 100, 100, 100, 100, 100, 'A+'],
    [100, 100, 100, 100, 75, 95, 'A'],
    [100, 100, 100, 100, 25, 85, 'B'],
    [1_000, 992, 955, 971, 100, 98.2, 'A+'],
    [10_000, 9_235, 8_810, 7_000, 25, 73.56, 'C'],
  ])(
    'of %d messages (%d pass, %d SPF, %d DKIM) at strength %d is %d, %s',
    (messages, compliant, spfPass, dkimPass, policy, expected, grade) => {
      const { score } = scoreOf({ messages, compliant, spfPass, dkimPass }, policy);
      expect([score, gradeOf(score, true), gradeOf(Math.floor(score), true)]).toEqual([expected, grade, grade]);
    },
  );

  it('before the first report is nothing', () => {
    expect([gradeOf(0, false), healthStateOf(0, false)]).toEqual(['N/A', 'nodata']);
    expect([90, 89.99, 70, 69.99].map((score) => healthStateOf(score, true))).toEqual([
      'secure',
      'warning',
      'warning',
      'critical',
    ]);
  });
});

describe('action items', () => {
  const finding = (status: 'ok' | 'warning' | 'error' | 'unknown', hasRecord = true) => ({
    status,
    hasRecord,
    details: 'Details.',
    facts: null,
  });
  const facts: GapFacts = {
    domain: 'example.com',
    findings: {},
    policy: 'reject',
    isEnforced: true,
    messages: 10,
    score: 95,
    isLocked: false,
    hasMailServers: true,
  };
  const types = (change: Partial<GapFacts>) =>
    dnsGaps({ ...facts, ...change }).map(({ item }) => [item.type, item.severity]);

  it.each<[string, Partial<GapFacts>, string[][]]>([
    ['nothing is wrong', { findings: { dmarc: finding('ok') } }, []],
    ['unknown is no gap', { findings: { dmarc: finding('unknown'), dkim: finding('unknown') } }, []],
    ['no DMARC', { findings: { dmarc: finding('error', false) } }, [['dns_dmarc', 'high']]],
    ['p=none with mail', { findings: { dmarc: finding('warning') }, policy: 'none' }, [['dns_dmarc', 'medium']]],
    [
      'p=none without mail',
      { findings: { dmarc: finding('warning') }, policy: 'none', messages: 0 },
      [['dns_dmarc', 'low']],
    ],
    ['no MTA-STS', { findings: { mta_sts: finding('error', false) } }, [['dns_mta_sts', 'low']]],
    ['no MTA-STS, no mail servers', { findings: { mta_sts: finding('error', false) }, hasMailServers: false }, []],
    ['MTA-STS broken', { findings: { mta_sts: finding('error') } }, [['dns_mta_sts', 'medium']]],
    ['BIMI within reach', { findings: { bimi: finding('error', false) } }, [['dns_bimi', 'low']]],
    ['BIMI of a domain that sends no mail', { findings: { bimi: finding('error', false) }, isLocked: true }, []],
    ['BIMI out of reach', { findings: { bimi: finding('error', false) }, score: 89 }, []],
  ])('%s', (_, change, expected) => expect(types(change)).toEqual(expected));

  const key = (selector: string, kind: DkimKeyFact['kind'], bits?: number): DkimKeyFact => ({
    domain: 'a.example',
    selector,
    kind,
    ...(bits !== undefined && { bits }),
  });
  const advice = (findings: GapFacts['findings']) =>
    dnsGaps({ ...facts, findings }).map(({ item }) => [item.title, item.suggested_action]);
  it.each<[string, GapFacts['findings'], string[]]>([
    [
      'an SPF record that is open',
      { spf: { ...finding('warning'), facts: { cause: 'open' } } },
      ['SPF record is too permissive', 'End the record with ~all or -all.'],
    ],
    [
      'an SPF record without all, and one that was checked before causes were stored',
      { spf: { ...finding('warning'), facts: { lookups: 1, voids: 0, isPermissive: false } } },
      ['SPF record is too permissive', 'End the record with ~all or -all.'],
    ],
    [
      'an SPF record with a network that is too wide',
      { spf: { ...finding('warning'), facts: { cause: 'wide' } } },
      ['SPF record is too permissive', 'Narrow its address ranges to the servers that send your mail.'],
    ],
    [
      'an SPF record with an include that is open',
      { spf: { ...finding('warning'), facts: { cause: 'included' } } },
      [
        'SPF record is too permissive',
        'Replace the include that lets any server pass by one that names the servers of the service.',
      ],
    ],
    [
      'an SPF record that ends in a redirect',
      { spf: { ...finding('warning'), facts: { cause: 'redirected' } } },
      [
        'SPF record is too permissive',
        'End the record that redirect names with ~all or -all; beside an all of your own it would be ignored.',
      ],
    ],
    [
      'an SPF record with ptr',
      { spf: { ...finding('warning'), facts: { cause: 'ptr' } } },
      ['SPF record uses ptr', 'Replace ptr by the addresses it stands for.'],
    ],
    [
      'DKIM keys that are too short',
      { dkim: { ...finding('error'), facts: [{ domain: 'a.example', selector: 's', kind: 'rsa', bits: 512 }] } },
      ['DKIM keys are too short', 'Publish keys of 2048 bits and sign with them.'],
    ],
    [
      'DKIM keys that are not there',
      { dkim: { ...finding('error'), facts: [{ domain: 'a.example', selector: 's', kind: 'absent' }] } },
      ['DKIM keys are missing', 'Publish the keys your senders sign with.'],
    ],
    [
      'DKIM keys of which one is revoked, where none is usable',
      { dkim: { ...finding('error'), facts: [key('s', 'absent'), key('t', 'revoked')] } },
      [
        'DKIM keys are missing or revoked',
        'Publish the keys your senders sign with; in place of a revoked key, a new one at a new selector.',
      ],
    ],
    [
      'DKIM keys of which one is revoked',
      { dkim: { ...finding('warning'), facts: [key('s', 'rsa', 2_048), key('t', 'revoked')] } },
      ['DKIM keys need attention', 'Details.'],
    ],
    [
      'a short DKIM key, beside a revoked one that is no longer in use',
      { dkim: { ...finding('warning'), facts: [key('s', 'rsa', 1_024), { ...key('t', 'revoked'), isRetired: true }] } },
      ['DKIM keys need attention', 'Details.'],
    ],
  ])('say what to do about %s', (_, findings, expected) => expect(advice(findings)).toEqual([expected]));

  it.each(['policy_upgrade_ready', 'new_failing_source', 'suspicious_source', 'malicious_source', 'spoofing_campaign'])(
    'advise a stricter policy about %s only for when own senders pass',
    (type) => {
      expect(adviceOf(type, false)).toMatch(/once your own senders pass\.$|when none of them is yours\.$/);
      expect(adviceOf(type, true)).not.toContain('stricter policy stops');
    },
  );

  const event = { title: 'T', message: 'M.', link: '/l', createdAt: new Date(0) };

  it('leave out that the policy is not enforced, when an open event says that a stricter one is ready', () => {
    const gaps = dnsGaps({ ...facts, findings: { dmarc: finding('warning') }, policy: 'none' });
    const ready = { ...event, type: 'policy_upgrade_ready', severity: 'info' as const };
    expect(actionItems(gaps, []).map(({ type }) => type)).toEqual(['dns_dmarc']);
    expect(actionItems(gaps, [ready]).map(({ type }) => type)).toEqual(['policy_upgrade_ready']);
  });

  it.each(alertTypes.filter(({ actionable }) => actionable).map(({ code }) => code))(
    'about %s say what to do in one sentence',
    (type) => {
      const [item] = actionItems([], [{ ...event, type, severity: 'info' }]);
      expect(item?.suggested_action).toMatch(/^[A-Z][^.]+\.$/);
    },
  );

  it.each<[string, Partial<EffectivePolicy>, string[]]>([
    ['is offered where the policy is enforced', {}, ['dns_bimi']],
    ['is not offered where subdomains have no policy', { sp: 'none' }, []],
    ['is not offered where the policy is partly applied', { pct: 50 }, []],
    ['is not offered in test mode', { t: true }, []],
  ])('BIMI %s', (_, change, expected) => {
    const policy: EffectivePolicy = { p: 'reject', sp: undefined, pct: 100, t: false, ...change };
    const findings = new Map([['bimi', finding('error', false)]]);
    const items = openItems({ ...facts, findings, policy, events: [] });
    expect(items.map(({ type }) => type)).toEqual(expected);
  });

  it.each([
    [true, ['dns_bimi']],
    [false, []],
    [null, []],
  ])('BIMI is offered where the check found DMARC enforced above the domain too: %s', (isEnforced, expected) => {
    const policy: EffectivePolicy = { p: 'reject', sp: undefined, pct: 100, t: false };
    const findings = new Map([['bimi', { ...finding('error', false), facts: { isEnforced } }]]);
    expect(openItems({ ...facts, findings, policy, events: [] }).map(({ type }) => type)).toEqual(expected);
  });

  it('are ordered by urgency, and an event that repeats a gap only raises it', () => {
    const gaps = dnsGaps({ ...facts, findings: { spf: finding('warning'), bimi: finding('error') } });
    const items = actionItems(gaps, [
      { ...event, type: 'spf_permissive', severity: 'critical' },
      { ...event, type: 'malicious_source', severity: 'critical' },
    ]);
    expect(items.map(({ type, severity }) => [type, severity])).toEqual([
      ['dns_spf', 'high'],
      ['malicious_source', 'high'],
      ['dns_bimi', 'low'],
    ]);
  });

  it.each<[string, GapFacts['findings'], AlertCode, string[]]>([
    [
      'a revoked key is no short one',
      { dkim: { ...finding('warning'), facts: [key('s', 'rsa', 1_024)] } },
      'dkim_key_revoked',
      ['dns_dkim', 'dkim_key_revoked'],
    ],
    [
      'a short key is no missing one',
      { dkim: { ...finding('warning'), facts: [key('s', 'rsa', 1_024), key('t', 'absent')] } },
      'dkim_key_weak',
      ['dns_dkim', 'dkim_key_weak'],
    ],
    [
      'a short key is the gap',
      { dkim: { ...finding('warning'), facts: [key('s', 'rsa', 1_024)] } },
      'dkim_key_weak',
      ['dns_dkim'],
    ],
    [
      'a revoked key is the gap',
      { dkim: { ...finding('error'), facts: [key('t', 'revoked')] } },
      'dkim_key_revoked',
      ['dns_dkim'],
    ],
    ['a record that is gone is the gap', { dmarc: finding('error', false) }, 'dmarc_record_missing', ['dns_dmarc']],
    [
      'reports that were lost are not the policy',
      { dmarc: { ...finding('warning'), facts: { cause: 'none' } } },
      'dmarc_verification_lost',
      ['dns_dmarc', 'dmarc_verification_lost'],
    ],
    [
      'reports that were lost are the gap',
      { dmarc: { ...finding('warning'), facts: { cause: 'elsewhere' } } },
      'dmarc_verification_lost',
      ['dns_dmarc'],
    ],
    [
      'a weaker policy does not send reports elsewhere',
      { dmarc: { ...finding('warning'), facts: { cause: 'elsewhere' } } },
      'dmarc_policy_weakened',
      ['dns_dmarc', 'dmarc_policy_weakened'],
    ],
    [
      'many lookups let no sender pass',
      { spf: { ...finding('warning'), facts: { cause: 'open' } } },
      'spf_lookup_limit_near',
      ['dns_spf', 'spf_lookup_limit_near'],
    ],
    [
      'an open record is the gap',
      { spf: { ...finding('warning'), facts: { cause: 'open' } } },
      'spf_permissive',
      ['dns_spf'],
    ],
  ])('list an event beside a gap unless it only repeats it: %s', (_, findings, type, expected) => {
    const items = actionItems(dnsGaps({ ...facts, findings }), [{ ...event, type, severity: 'info' }]);
    expect(items.map((item) => item.type)).toEqual(expected);
  });
});
