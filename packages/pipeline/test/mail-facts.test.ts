import { expect, it } from 'vitest';
import { believedFacts } from '../src/intake/mail-facts.ts';

const GENUINE = 'mx.ours.example; dmarc=pass header.from=reporter.example';
const FORGED = 'mx.ours.example; dmarc=fail';
const OTHERS = 'mx.elsewhere.example; dmarc=fail';
const MICROSOFT = 'spf=pass smtp.mailfrom=reporter.example; dkim=none; dmarc=fail action=none';

const envelopeWith = (...fields: string[]) => {
  const trace = fields.map((value) => ({ name: 'authentication-results', value }) as const);
  return { receivedAt: null, from: 'reporter.example', recipients: [], trace };
};

const dmarcOf = (fields: string[], ids: string[]) => {
  const { authservId, dmarc } = believedFacts(envelopeWith(...fields), ids);
  return [authservId, dmarc];
};

it.each([
  ['ours', [GENUINE], ['mx.ours.example'], ['mx.ours.example', 'pass']],
  ['ours, whatever its letters', [GENUINE], ['MX.Ours.Example'], ['mx.ours.example', 'pass']],
  [
    'ours, in letters beyond ASCII or A-labels',
    ['mx.xn--bcher-kva.example; dmarc=pass'],
    ['MX.Bücher.example'],
    ['mx.xn--bcher-kva.example', 'pass'],
  ],
  ['the topmost of ours', [GENUINE, FORGED], ['mx.ours.example'], ['mx.ours.example', 'pass']],
  ['ours below that of a server we do not know', [OTHERS, GENUINE], ['mx.ours.example'], ['mx.ours.example', 'pass']],
  [
    'the topmost of several of ours',
    [OTHERS, GENUINE],
    ['mx.ours.example', 'mx.elsewhere.example'],
    ['mx.elsewhere.example', 'fail'],
  ],
  ['no server', [OTHERS, MICROSOFT], ['mx.ours.example'], [null, null]],
  ['no server when none is trusted', [GENUINE], [], [null, null]],
  ['one without a name', [MICROSOFT, GENUINE], ['-'], ['-', 'fail']],
  ['none without a name unless configured', [MICROSOFT], ['mx.ours.example'], [null, null]],
  ['what can be read', ['a b c d', GENUINE], ['mx.ours.example'], ['mx.ours.example', 'pass']],
  ['nothing about another From domain', ['mx; dmarc=pass header.from=other.example'], ['mx'], ['mx', null]],
])('believes %s', (_, fields, ids, expected) => {
  expect(dmarcOf(fields, ids)).toEqual(expected);
});

it('keeps nothing that cannot be stored', () => {
  const field = 'mx; dmarc=pa\0ss; spf=pass smtp.mailfrom=a\0b.example; dkim=fail\0 header.d=x\ud800.example';
  const facts = JSON.stringify(believedFacts(envelopeWith(field), ['mx']));
  expect(facts).not.toMatch(/\\u0000|\\ud800/);
});

it.each([
  [
    'by its host when it has no sender',
    'mx; spf=temperror smtp.mailfrom=<> smtp.helo=Mail.Evil.example',
    'mail.evil.example',
  ],
  ['by its host alone', 'mx; spf=temperror smtp.helo=mail.evil.example', 'mail.evil.example'],
  ['by its sender', 'mx; spf=pass smtp.helo=mail.evil.example; spf=temperror smtp.mailfrom=a@b.example', 'b.example'],
  ['without a domain', 'mx; spf=temperror', null],
])('knows that a mail was sent %s', (_, field, domain) => {
  expect(believedFacts(envelopeWith(field), ['mx']).spf).toEqual({ result: 'temperror', domain });
});

it('keeps what was signed and by whom it was sent', () => {
  const field =
    'mx; dkim=pass header.i=@Mail.Reporter.example header.b=x; dkim=fail header.d=other.example; spf=pass smtp.mailfrom=<bounce@reporter.example>';
  expect(believedFacts(envelopeWith(field), ['mx'])).toEqual({
    from: 'reporter.example',
    authservId: 'mx',
    dmarc: null,
    spf: { result: 'pass', domain: 'reporter.example' },
    dkim: [
      { result: 'pass', domain: 'mail.reporter.example' },
      { result: 'fail', domain: 'other.example' },
    ],
  });
});
