import { passedDmarc } from '@dmarc-ledger/dmarc';
import { describe, expect, it } from 'vitest';
import { believedFacts } from '../src/intake/mail-facts.ts';

const FROM_STRANGER = 'R from evil.example (evil.example [203.0.113.5]) by mx.ours.example (Postfix) with ESMTPS id 1';
const FROM_FILTER = 'R from localhost (localhost [127.0.0.1]) by mx.ours.example (Postfix) with ESMTP id 2';
const TO_MAILBOX = 'R from mx.ours.example by imap.ours.example (Dovecot) with LMTP id 3';
const SPF = 'A mx.ours.example; spf=fail smtp.mailfrom=evil.example';
const FAIL = 'A mx.ours.example; dmarc=fail header.from=reporter.example';
const PASS = 'A mx.ours.example; dmarc=pass header.from=reporter.example';
const SIGNED = 'A mx.ours.example; dkim=pass header.d=reporter.example';

/** What is believed of Received (R) and Authentication-Results (A) fields. */
function factsOf(...lines: string[]) {
  const trace = lines.map((line) => {
    const name = line.startsWith('R ') ? ('received' as const) : ('authentication-results' as const);
    return { name, value: line.slice(2) };
  });
  const envelope = { receivedAt: null, from: 'reporter.example', recipients: [], trace };
  return believedFacts(envelope, ['mx.ours.example', 'mx.second.example', '-']);
}

describe('several fields of a server that stand above the Received field of the server', () => {
  it.each([
    ['on top', []],
    ['below the hop of a content filter', [FROM_FILTER]],
    ['below a delivery to the mailbox', [TO_MAILBOX, FROM_FILTER]],
  ])('are joined %s', (_, hops) => {
    expect(factsOf(...hops, SPF, SIGNED, PASS, FROM_STRANGER)).toEqual({
      from: 'reporter.example',
      authservId: 'mx.ours.example',
      dmarc: 'pass',
      spf: { result: 'fail', domain: 'evil.example' },
      dkim: [{ result: 'pass', domain: 'reporter.example' }],
    });
  });

  it.each([
    ['the topmost with results of a method', [FAIL, PASS, FROM_STRANGER], false],
    ['those alone above the next Received', [SPF, FROM_STRANGER, PASS], false],
    ['those alone above a field of another name', [SPF, 'A mx.second.example; dkim=none', PASS, FROM_STRANGER], false],
    ['those alone above a field that cannot be read', [SPF, 'A a b c d', PASS, FROM_STRANGER], false],
    ['also those above a field of another name', [SPF, PASS, 'A mx.second.example; dkim=none', FROM_STRANGER], true],
    ['none that no Received field ends', [SPF, PASS], false],
    ['none of servers without a name', ['A spf=fail smtp.mailfrom=evil.example', 'A dmarc=pass', FROM_STRANGER], false],
    ['a result about another domain for what it is', [`${PASS}.evil.example`, PASS, FROM_STRANGER], null],
  ])('count: %s', (_, lines, expected) => {
    expect(passedDmarc(factsOf(...lines))).toBe(expected);
  });
});

/** The server writes below its own Received field, and the sender's fields follow. */
describe('fields that a sender adds to those of the server', () => {
  it.each([
    ['a DMARC result', PASS],
    ['a signature', SIGNED],
    ['a sender', 'A mx.ours.example; spf=pass smtp.mailfrom=reporter.example'],
  ])('do not prove his mail by %s', (_, forged) => {
    const without = 'A mx.ours.example; dkim=fail header.d=evil.example; spf=fail smtp.mailfrom=evil.example';
    for (const genuine of [without, 'A mx.ours.example; x-ptr=fail; bimi=none']) {
      const believed = passedDmarc(factsOf(FROM_STRANGER, genuine));
      for (const below of [[], [FROM_STRANGER], [FROM_FILTER, FROM_STRANGER]]) {
        expect(passedDmarc(factsOf(FROM_STRANGER, genuine, forged, ...below))).toBe(believed);
        // some servers write below all Received fields, also those of the sender
        expect(passedDmarc(factsOf(FROM_STRANGER, FROM_FILTER, genuine, forged, ...below))).toBe(believed);
        expect(passedDmarc(factsOf(TO_MAILBOX, FROM_STRANGER, genuine, forged, ...below))).toBe(believed);
      }
    }
  });

  it.each(['temperror', 'none', 'permerror', 'bestguesspass'])('do not hide that it failed by dmarc=%s', (result) => {
    expect(passedDmarc(factsOf(FROM_STRANGER, SPF, `A mx.ours.example; dmarc=${result}`, FROM_STRANGER))).toBe(false);
  });

  it('do not hide that it failed by a signature that could not be looked up', () => {
    const open = 'A mx.ours.example; dkim=temperror header.d=reporter.example';
    expect(passedDmarc(factsOf(FROM_STRANGER, SPF, open, FROM_STRANGER))).toBe(false);
  });
});

it('a DMARC result against the mail counts also below a Received field that may be that of the server', () => {
  const hop = 'R from mx2.ours.example (mx2.ours.example [10.0.0.2]) by mx.ours.example (Postfix) with ESMTP id 4';
  expect(passedDmarc(factsOf(hop, 'A mx.ours.example; x-ptr=pass', FAIL, FROM_STRANGER))).toBe(false);
  expect(passedDmarc(factsOf(hop, 'A mx.ours.example; x-ptr=pass', PASS, FROM_STRANGER))).toBe(null);
  expect(passedDmarc(factsOf(hop, SPF, FROM_STRANGER, FAIL))).toBe(false);
});

it('a result for the mail in the topmost field counts wherever it stands', () => {
  expect(passedDmarc(factsOf(FROM_STRANGER, PASS, FAIL, FROM_STRANGER))).toBe(true);
});
