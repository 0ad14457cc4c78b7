import { domainVerdict, isEnoughToJudge, isLocked, orgVerdict, scoreOf, spfRecordsOf } from '@dmarc-ledger/scoring';
import type { EffectivePolicy } from '@dmarc-ledger/vocabulary';
import { describe, expect, it } from 'vitest';

type P = EffectivePolicy['p'];
type Facts = Parameters<typeof domainVerdict>[0];

const policyOf = (p: P, change: Partial<EffectivePolicy> = {}) => ({ p, sp: undefined, pct: 100, t: false, ...change });
const facts = (
  [compliant, spfPass, dkimPass]: [number, number, number],
  policy: EffectivePolicy | undefined,
  strength: number,
): Facts => ({
  score: scoreOf({ messages: 100, compliant, spfPass, dkimPass }, strength),
  policy,
  messages: 100,
  failing: 100 - compliant,
  newestDay: '2026-01-01',
  isStale: false,
  isAhead: false,
  isLocked: false,
  isReady: false,
  recordFault: undefined,
});
const reject = policyOf('reject');
const locked = { ...facts([0, 0, 0], reject, 100), isLocked: true };

describe('a domain in a sentence', () => {
  it.each<[string, Facts, string]>([
    [
      'no report',
      { ...facts([0, 0, 0], undefined, 0), newestDay: null },
      'No DMARC reports have arrived for this domain yet.',
    ],
    [
      'only reports of tomorrow',
      { ...facts([0, 0, 0], undefined, 0), newestDay: null, isAhead: true },
      'Reports arrive, but they are dated after today.',
    ],
    ['locked, and forged', locked, 'Locked: it sends no mail; receivers were asked to reject 100 forged messages.'],
    [
      'locked, and forged once',
      { ...locked, failing: 1 },
      'Locked: it sends no mail; receivers were asked to reject 1 forged message.',
    ],
    [
      'locked, and forged often',
      { ...locked, failing: 12_345 },
      'Locked: it sends no mail; receivers were asked to reject 12,345 forged messages.',
    ],
    [
      'locked, but not its subdomains',
      { ...locked, policy: { ...reject, sp: 'none' } },
      'Locked, except for its subdomains: the policy for them is none.',
    ],
    [
      'passing by DKIM alone',
      facts([100, 0, 100], reject, 80),
      '100% of mail passes DMARC, but none of it by aligned SPF.',
    ],
    [
      'locked, in peace',
      { ...locked, messages: 0, failing: 0 },
      'Locked: it sends no mail, and receivers are asked to reject all of it.',
    ],
    [
      'locked, and quiet for a month',
      { ...locked, isStale: true, failing: 0 },
      'Locked: it sends no mail, and receivers are asked to reject all of it.',
    ],
    [
      'a broken record',
      {
        ...facts([99, 99, 99], reject, 100),
        recordFault: '2 DMARC records are published; receivers ignore all of them.',
      },
      '2 DMARC records are published; receivers ignore all of them.',
    ],
    [
      'stale',
      { ...facts([80, 80, 80], reject, 100), isStale: true },
      'No reports since 2026-01-01; figures are from that time.',
    ],
    [
      'no mail',
      { ...facts([80, 80, 80], reject, 100), messages: 0 },
      'Reports arrive but show no mail from this domain.',
    ],
    ['all good', facts([100, 99, 99], reject, 100), 'Protected: all mail passes DMARC.'],
    [
      'protected',
      facts([99, 99, 99], reject, 100),
      'Protected: 99% of mail passes DMARC, and receivers are asked to reject the rest.',
    ],
    [
      'rejecting half',
      facts([100, 99, 99], policyOf('reject', { pct: 50 }), 87.5),
      'Strong: 100% of mail passes DMARC.',
    ],
    ['in test mode', facts([99, 99, 99], policyOf('reject', { t: true }), 75), 'Strong: 99% of mail passes DMARC.'],
    ['strong', facts([99, 99, 99], policyOf('quarantine'), 75), 'Strong: 99% of mail passes DMARC.'],
    ['no policy', facts([50, 50, 50], undefined, 0), 'No DMARC policy could be read.'],
    [
      'ready',
      { ...facts([98, 90, 90], policyOf('none'), 25), isReady: true },
      'Ready for enforcement: 98% of mail passes, but the policy is none.',
    ],
    [
      'ready but for some mail',
      { ...facts([97, 90, 90], policyOf('none'), 25), isReady: true },
      'Monitoring only: 97% of mail passes DMARC.',
    ],
    [
      'good, and not enough to judge',
      facts([100, 90, 90], policyOf('none'), 25),
      'Monitoring only: 100% of mail passes DMARC.',
    ],
    ['quarantine', facts([90, 80, 80], policyOf('quarantine'), 75), 'Failing mail is quarantined, not rejected.'],
    [
      'quarantine, and reject for subdomains',
      facts([95, 85, 90], policyOf('quarantine', { sp: 'reject' }), 80),
      'Failing mail is quarantined, not rejected.',
    ],
    [
      'quarantine, and nothing for subdomains',
      facts([95, 85, 90], policyOf('quarantine', { sp: 'none' }), 65),
      'The quarantine policy covers only part of the mail.',
    ],
    [
      'partly',
      facts([90, 80, 80], policyOf('quarantine', { pct: 50 }), 50),
      'The quarantine policy covers only part of the mail.',
    ],
    ['failing, as that weighs twice', facts([70, 45, 80], reject, 100), '30% of mail fails DMARC.'],
    ['no DKIM', facts([80, 80, 30], reject, 100), 'Only 30% of mail carries an aligned DKIM signature.'],
    ['no SPF', facts([80, 30, 80], reject, 100), 'Only 30% of mail has aligned SPF.'],
    [
      'by SPF alone',
      facts([96, 96, 30], reject, 100),
      '96% of mail passes DMARC, but only 30% by an aligned DKIM signature.',
    ],
    ['by DKIM alone', facts([96, 30, 96], reject, 100), '96% of mail passes DMARC, but only 30% by aligned SPF.'],
  ])('%s', (_, given, expected) => expect(domainVerdict(given)).toBe(expected));
});

describe('an organization in a sentence', () => {
  const org = (passes: [number, number, number], strength: number, unenforced: number, domains = 3) => ({
    ...facts(passes, undefined, strength),
    hasReports: true,
    domains,
    unenforced,
  });
  it.each([
    ['no report', { ...org([0, 0, 0], 0, 0, 0), hasReports: false }, 'No DMARC reports have arrived yet.'],
    ['only reports of tomorrow', org([0, 0, 0], 0, 0, 0), 'Reports arrive, but they are dated after today.'],
    ['protected', org([99, 99, 99], 100, 0), 'Your domains are protected: 99% of mail passes DMARC.'],
    ['strong', org([100, 100, 99], 60, 1), 'Mail authentication is strong: 100% of mail passes DMARC.'],
    ['one open domain', org([99, 90, 90], 25, 1), '1 of 3 domains does not enforce DMARC yet.'],
    ['two open domains', org([99, 90, 90], 25, 2), '2 of 3 domains do not enforce DMARC yet.'],
    ['its only domain', org([99, 90, 90], 25, 1, 1), '1 of 1 domain does not enforce DMARC yet.'],
    ['many domains', org([99, 90, 90], 25, 1_200, 3_000), '1,200 of 3,000 domains do not enforce DMARC yet.'],
    ['partly', org([99, 90, 90], 50, 0), 'Policies are only partly enforced.'],
    ['failing', org([70, 45, 80], 100, 0), '30% of mail fails DMARC. Start with the failing sources.'],
    ['no DKIM', org([80, 80, 30], 100, 0), 'Only 30% of mail carries an aligned DKIM signature.'],
    ['by SPF alone', org([95, 95, 30], 100, 0), '95% of mail passes DMARC, but only 30% by an aligned DKIM signature.'],
    ['by DKIM alone', org([95, 30, 95], 100, 0), '95% of mail passes DMARC, but only 30% by aligned SPF.'],
  ])('%s', (_, given, expected) => expect(orgVerdict(given)).toBe(expected));
});

describe('a locked domain', () => {
  const spf = ['v=spf1 -all'];
  it.each<[string, Parameters<typeof isLocked>[0], boolean]>([
    ['rejects everything and authorises nothing', { compliant: 0, policy: reject, spf }, true],
    [
      'may name addresses that may not send',
      { compliant: 0, policy: reject, spf: ['v=spf1 -ip4:192.0.2.1 -all'] },
      true,
    ],
    ['has no mail that passes', { compliant: 1, policy: reject, spf }, false],
    ['does not only quarantine', { compliant: 0, policy: policyOf('quarantine'), spf }, false],
    ['does not reject a part', { compliant: 0, policy: policyOf('reject', { pct: 99 }), spf }, false],
    ['does not test', { compliant: 0, policy: policyOf('reject', { t: true }), spf }, false],
    ['authorises no address', { compliant: 0, policy: reject, spf: ['v=spf1 ip4:192.0.2.1 -all'] }, false],
    ['does not leave the rest open', { compliant: 0, policy: reject, spf: ['v=spf1 ~all'] }, false],
    ['has one SPF record', { compliant: 0, policy: reject, spf: ['v=spf1 -all', 'v=spf1 -all'] }, false],
    ['has an SPF record', { compliant: 0, policy: reject, spf: [] }, false],
    ['has one that was read', { compliant: 0, policy: reject, spf: undefined }, false],
  ])('%s', (_, given, expected) => expect(isLocked(given)).toBe(expected));

  it('scores as if all mail passed, while its rates stay as they are', () => {
    const sums = { messages: 960, compliant: 0, spfPass: 0, dkimPass: 0 };
    expect(scoreOf(sums, 100, { isLocked: true })).toEqual({ compliance: 0, spf: 0, dkim: 0, policy: 100, score: 100 });
    expect(scoreOf(sums, 85, { isLocked: true }).score).toBe(97);
    expect(scoreOf(sums, 100).score).toBe(20);
  });

  it('stays locked for a week while its name servers do not answer', () => {
    const readAt = Date.parse('2026-03-01T00:00:00Z');
    const unread = { status: 'unknown', records: [], kept: { records: spf, readAt } };
    expect(spfRecordsOf(unread, new Date('2026-03-07T23:59:59Z'))).toEqual(spf);
    expect(spfRecordsOf(unread, new Date('2026-03-08T00:00:00Z'))).toBeUndefined();
    expect(spfRecordsOf({ status: 'ok', records: spf, kept: null }, new Date())).toEqual(spf);
  });
});

it.each([
  [{ messages: 100, reportDays: 14, hasValidRecord: true }, true],
  [{ messages: 99, reportDays: 14, hasValidRecord: true }, false],
  [{ messages: 100, reportDays: 13, hasValidRecord: true }, false],
  [{ messages: 100, reportDays: 14, hasValidRecord: false }, false],
])(
  'a stricter policy is advised with 100 messages on 14 report days and one valid record: %o is %s',
  (given, expected) => expect(isEnoughToJudge(given)).toBe(expected),
);
