import { successorsByMail, type SelectorUse } from '@dmarc-ledger/dns-records';
import { describe, expect, it } from 'vitest';

type Days = { [day: string]: number | [passed: number, failed: number] };

/** Days of November 2026. */
function use(selector: string, days: Days, more: Partial<SelectorUse> = {}): SelectorUse {
  const rows = Object.entries(days).map(([day, mail]) => {
    const [passed, failed] = typeof mail === 'number' ? [mail, 0] : mail;
    return { day: `2026-11-${day}`, passed, failed };
  });
  return { domain: 'example.com', selector, hasPassed: true, days: rows, ...more };
}

function successors(old: Days, next: Days, more: Partial<SelectorUse> = {}, goneSince = '2026-11-14'): string[] {
  const all = [use('s1', old, more), use('s2', next)];
  return successorsByMail(all[0]!, all, goneSince).map(({ selector }) => selector);
}

describe('a key that is gone since the 14th was handed over', () => {
  it.each<[string, Days, Days]>([
    ['23: when the new one took over two days before', { 10: 900, 11: 900, 12: 400 }, { 12: 500, 13: 900, 14: 900 }],
    [
      '24: also when a little mail was still under way',
      { 12: 400, 13: 9, 15: [0, 9], 19: [0, 1] },
      { 13: 900, 15: 900, 19: 90 },
    ],
    ['25: when they changed at midnight', { 12: 900 }, { 13: 900 }],
    ['26: on the day of the change, once a later day shows the new one alone', { 14: 500 }, { 14: 400, 15: 900 }],
    ['27: when mail of the next day was in the same reports', { 15: 100 }, { 15: 900, 16: 900 }],
    ['28: long ago, and nothing has carried it since', {}, { 19: 900 }],
  ])('%s', (_, old, next) => expect(successors(old, next)).toEqual(['s2']));

  it.each<[string, Days, Days, Partial<SelectorUse>?]>([
    ['29: no, while the newest day shows both', { 13: 900, 14: 500 }, { 13: 100, 14: 400 }],
    ['30: no, when more than a hundredth still fails by it', { 12: 900, 16: [0, 10] }, { 13: 900, 16: 900, 17: 900 }],
    ['31: no, when any mail carries it after five days', { 12: 900, 20: [0, 1] }, { 13: 900, 20: 90_000 }],
    ['32: no, when nothing has passed by the other since', { 12: 900 }, { 11: 900 }],
    ['33: no, when the other fails too', { 12: 900 }, { 13: [0, 900], 14: [0, 900] }],
    ['34: no, when it never passed', { 12: [0, 5] }, { 12: 900, 13: 900 }, { hasPassed: false }],
    ['35: no, to a key of another signing domain', { 12: 900 }, { 13: 900 }, { domain: 'mail.example.com' }],
  ])('%s', (_, old, next, more) => expect(successors(old, next, more)).toEqual([]));

  it('and not to itself', () => {
    const key = use('s1', { 13: 900 });
    expect(successorsByMail(key, [key], '2026-11-10')).toEqual([]);
  });
});
