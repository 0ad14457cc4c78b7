import { expect, it } from 'vitest';
import { evidenceAgainst, suggestDecision, type EvidenceFacts, type SenderFacts } from '../../src/index.ts';

const facts: SenderFacts = { class: 'needs_review', messages: 100, spfPass: 0, isForwarder: false, mayRelay: false };

it.each<[string, Partial<SenderFacts>, string | null]>([
  ['passes', { class: 'authenticated' }, 'ours'],
  ['passes at a network, by DKIM alone', { class: 'authenticated', mayRelay: true }, null],
  ['passes at a network, once by SPF', { class: 'authenticated', mayRelay: true, spfPass: 1 }, 'ours'],
  ['looks forwarded', { class: 'likely_forwarded' }, 'forwarder'],
  ['looks forged', { class: 'suspicious' }, 'not_ours'],
  ['does not tell', {}, null],
  ['is not there', { class: 'authenticated', messages: 0 }, null],
  ['passes at a forwarding service, by DKIM alone', { class: 'authenticated', isForwarder: true }, 'forwarder'],
  ['passes at a forwarding service, once by SPF', { class: 'authenticated', isForwarder: true, spfPass: 1 }, 'ours'],
  ['fails at a forwarding service', { isForwarder: true }, 'forwarder'],
])('mail that %s suggests a decision', (_, more, expected) => {
  expect(suggestDecision({ ...facts, ...more })?.decision ?? null).toBe(expected);
});

const since = { messages: 0, compliant: 0, spfPass: 0, dkimPass: 0, suspicious: 0 };

it.each<[string, Partial<Omit<EvidenceFacts, 'since'>> & { since?: Partial<EvidenceFacts['since']> }, string[]]>([
  ['ours, and all is well', { since: { messages: 100, compliant: 100, dkimPass: 100 } }, []],
  ['ours, 9 of 20 pass', { since: { messages: 20, compliant: 9 } }, ['stopped_passing']],
  ['ours, 10 of 20 pass', { since: { messages: 20, compliant: 10 } }, []],
  ['ours, 0 of 19 pass', { since: { messages: 19 } }, []],
  ['ours, with a forged message', { since: { messages: 9, compliant: 8, suspicious: 1 } }, ['forged']],
  ['ours, with a bad address', { maliciousAddresses: 1 }, ['malicious']],
  ['not ours, and fails', { decision: 'not_ours', since: { messages: 50, suspicious: 50 }, maliciousAddresses: 3 }, []],
  ['not ours, and passes DKIM', { decision: 'not_ours', since: { messages: 1, dkimPass: 1 } }, ['passes_dkim']],
  ['not ours, and passes SPF', { decision: 'not_ours', since: { messages: 1, spfPass: 1 } }, ['passes_spf']],
  ['a forwarder that keeps signatures', { decision: 'forwarder', since: { messages: 5, dkimPass: 5 } }, []],
  ['a forwarder that passes SPF', { decision: 'forwarder', since: { messages: 5, spfPass: 2 } }, ['passes_spf']],
])('new evidence against %s', (_, { since: more, ...rest }, expected) => {
  const evidence = evidenceAgainst({
    decision: 'ours',
    maliciousAddresses: 0,
    ...rest,
    since: { ...since, ...more },
  });
  expect(evidence.map(({ code }) => code)).toEqual(expected);
});

it('says the evidence in numbers', () => {
  const against = evidenceAgainst({
    decision: 'ours',
    since: { ...since, messages: 1_500, compliant: 1, suspicious: 1 },
    maliciousAddresses: 2,
  });
  expect(against.map(({ message }) => message)).toEqual([
    '1,499 messages of 1,500 fail DMARC.',
    '1 message with signs of forgery.',
    '2 addresses have a bad reputation.',
  ]);
});
