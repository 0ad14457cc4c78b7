import { expect, it } from 'vitest';
import { alignRecord, findContradictions, isCompliant, reportDay, failureBucket } from '../src/index.ts';
import { policy, record } from './records.ts';

it.each([
  ['V1', record({ evaluated: ['pass', 'fail'], dkim: [['example.com', 'pass']] }), true, []],
  ['V2', record({ dkim: [['example.com', 'pass']], disposition: 'reject' }), false, ['evaluated_dkim_understated']],
  [
    'V3',
    record({ evaluated: ['pass', 'pass'], dkim: [['other.example', 'pass']], spf: [['example.com', 'pass']] }),
    true,
    ['evaluated_dkim_unsupported'],
  ],
  [
    'an aligned SPF pass that counts as fail',
    record({ spf: [['example.com', 'pass']], disposition: 'reject' }),
    false,
    ['evaluated_spf_understated'],
  ],
  ['V8', record({ evaluated: ['fail', 'pass'] }), true, ['evaluated_spf_unsupported']],
  [
    'an aligned pass that was quarantined',
    record({ evaluated: ['pass', 'fail'], dkim: [['example.com', 'pass']], disposition: 'quarantine' }),
    true,
    ['disposition_on_pass'],
  ],
  ['a weaker disposition without a reason', record({ disposition: 'none' }), false, ['disposition_without_reason']],
  [
    'a weaker disposition with its reason',
    record({ disposition: 'none', reasons: [{ type: 'local_policy', comment: null }] }),
    false,
    [],
  ],
])('%s: the reporter’s verdict stands, and a contradiction is a warning', (_, given, compliant, codes) => {
  expect(isCompliant(given.policyEvaluated)).toBe(compliant);
  expect(findContradictions(given, alignRecord(given, policy()), policy())).toEqual(codes);
});

it.each([
  ['reject in test mode', policy({ testing: 'y' }), 'quarantine', []],
  ['the subdomain policy for a subdomain', policy({ sp: 'none' }), 'none', []],
] as const)('expects of a failing message what the policy asks: %s', (_, published, disposition, codes) => {
  const given = record({ disposition, headerFrom: published.sp ? 'news.example.com' : 'example.com' });
  expect(findContradictions(given, alignRecord(given, published), published)).toEqual(codes);
});

it.each([
  ['pass', 'fail', 'spfOnly'],
  ['fail', 'pass', 'dkimOnly'],
  ['fail', 'fail', 'bothFailed'],
  ['pass', 'pass', undefined],
] as const)('puts a record with DKIM %s and SPF %s into one bucket of the failures', (dkim, spf, bucket) => {
  expect(failureBucket({ dkim, spf })).toBe(bucket);
});

it.each([
  ['2025-03-01T00:00:00Z', '2025-03-01T23:59:59Z', '2025-03-01'],
  ['2025-03-01T00:00:00Z', '2025-03-02T00:00:00Z', '2025-03-01'],
  ['2025-03-01T15:00:00Z', '2025-03-02T15:00:00Z', '2025-03-02'],
  ['2025-03-01T12:00:00Z', '2025-03-02T12:00:00Z', '2025-03-02'],
  ['2025-03-01T12:00:00Z', null, '2025-03-01'],
  [null, '2025-03-01T12:00:00Z', '2025-03-01'],
  [null, null, '2025-06-30'],
])('counts a window from %s to %s on %s', (begin, end, day) => {
  const seconds = (text: string | null) => (text === null ? null : Date.parse(text) / 1000);
  expect(reportDay({ begin: seconds(begin), end: seconds(end) }, seconds('2025-06-30T08:00:00Z')!)).toBe(day);
});
