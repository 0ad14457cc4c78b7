import { recordVerdict, reportResult, type PolicyPublished, type StoredJudgement } from '@dmarc-ledger/dmarc';
import { expect, it } from 'vitest';

const POLICY = { domain: 'example.com', adkim: 'r', aspf: 's' } as PolicyPublished;
const WAITING: StoredJudgement = { class: null, alignment: { dkim: null, spf: null } };
const RECORD = {
  identifiers: { headerFrom: 'example.com', envelopeFrom: null, envelopeTo: null },
  authResults: {
    dkim: [{ domain: 'mail.example.com', selector: null, result: 'pass' as const, humanResult: null }],
    spf: null,
  },
};
const passed = { ...RECORD, policyEvaluated: { dkim: 'pass', spf: 'fail' } as const };
const failed = { ...RECORD, policyEvaluated: { dkim: 'fail', spf: 'fail' } as const };

it('a record that passed is authenticated, also while it waits to be judged', () => {
  expect(recordVerdict(passed, WAITING, POLICY)).toEqual({
    class: 'authenticated',
    alignment: { dkim: [true], spf: null },
  });
});

it('a record that failed needs review until it is judged', () => {
  expect(recordVerdict(failed, WAITING, POLICY).class).toBe('needs_review');
  expect(recordVerdict(failed, { ...WAITING, class: 'suspicious' }, POLICY).class).toBe('suspicious');
});

it('the stored alignment is answered where there is one', () => {
  const stored: StoredJudgement = { class: 'suspicious', alignment: { dkim: [false], spf: null } };
  expect(recordVerdict(failed, stored, POLICY).alignment).toBe(stored.alignment);
});

it.each([
  [0, 0, 'none'],
  [3, 3, 'pass'],
  [3, 2, 'fail'],
])('a report of %i messages of which %i are compliant is %s', (messages, compliant, result) => {
  expect(reportResult({ messages, compliant })).toBe(result);
});
