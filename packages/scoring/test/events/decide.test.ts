import { decide, holding, type KnownCondition } from '@dmarc-ledger/scoring';
import { expect, it } from 'vitest';

const DAY = 86_400_000;
const raisedAt = Date.parse('2026-03-01T12:00:00Z');
const after = (days: number) => new Date(raisedAt + days * DAY);

type Timed = 'report_parse_failed' | 'malicious_source' | 'policy_upgrade_ready' | 'spoofing_campaign';

/** What follows when a condition that was raised on day 0, and ended on another day, holds again. */
function again(type: Timed, { days, ended, now }: { days: number; ended: number; now: number }) {
  const condition = holding(type, { domain: 'example.com' });
  const known: KnownCondition = {
    key: condition.key,
    severity: condition.severity,
    holds: false,
    falseSince: after(ended),
    endsAt: after(days),
    occurrence: '',
    eventId: 'e-1',
  };
  return decide(condition, known, after(now));
}

it.each<[string, Timed, number]>([
  ['unreadable attachments', 'report_parse_failed', 7],
  ['a malicious address', 'malicious_source', 30],
  ['a policy that may rise', 'policy_upgrade_ready', 90],
])('an event about %s that ended early is open again at once, and a new one after its days', (_, type, days) => {
  expect(again(type, { days, ended: 1, now: 1.003 })).toBe('reopen');
  expect(again(type, { days, ended: 1, now: 3 })).toBe('reopen');
  expect(again(type, { days, ended: 1, now: days - 0.001 })).toBe('reopen');
  expect(again(type, { days, ended: 1, now: days })).toBe('raise');
  expect(again(type, { days, ended: days, now: days })).toBe('raise');
});

it('an event about one day that ended early is open again, and stays over once its days have gone by', () => {
  expect(again('spoofing_campaign', { days: 3, ended: 1, now: 1.003 })).toBe('reopen');
  expect(again('spoofing_campaign', { days: 3, ended: 1, now: 3 })).toBe('none');
  expect(again('spoofing_campaign', { days: 3, ended: 3, now: 3 })).toBe('none');
});
