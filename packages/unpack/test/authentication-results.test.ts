import { parseAuthenticationResults } from '@dmarc-ledger/unpack';
import { expect, it } from 'vitest';

/** A result as one line: method, result, then its properties. */
function lineOf(value: string) {
  const parsed = parseAuthenticationResults(value);
  if (!parsed) return null;
  const lines = parsed.results.map(({ method, result, properties }) =>
    [`${method}=${result}`, ...[...properties].map(([name, text]) => `${name}=${text}`)].join(' '),
  );
  return [parsed.authservId, ...lines];
}

it.each([
  ['nothing looked at', 'example.org 1; none', ['example.org']],
  [
    'one method',
    ' Example.ORG; spf=pass smtp.mailfrom=example.net',
    ['example.org', 'spf=pass smtp.mailfrom=example.net'],
  ],
  [
    'Gmail',
    'mx.google.com; dkim=pass header.i=@google.com header.s=20230601 header.b=Xk+/2=; spf=pass (google.com: domain of x designates 209.85.220.73 as permitted sender) smtp.mailfrom=noreply-dmarc-support@google.com; dmarc=pass (p=REJECT sp=REJECT dis=NONE) header.from=google.com',
    [
      'mx.google.com',
      'dkim=pass header.i=@google.com header.s=20230601 header.b=Xk+/2=',
      'spf=pass smtp.mailfrom=noreply-dmarc-support@google.com',
      'dmarc=pass header.from=google.com',
    ],
  ],
  [
    'Microsoft 365, which names no server',
    'spf=pass (sender IP is 40.107.0.1) smtp.mailfrom=microsoft.com; dkim=pass (signature was verified) header.d=microsoft.com;dmarc=pass action=none header.from=microsoft.com;compauth=pass reason=100',
    [
      null,
      'spf=pass smtp.mailfrom=microsoft.com',
      'dkim=pass header.d=microsoft.com',
      'dmarc=pass action=none header.from=microsoft.com',
      'compauth=pass reason=100',
    ],
  ],
  [
    'a version of the method, a reason, quoted strings',
    'foo.example; dkim/1=FAIL reason="bad; (very) \\"bad\\"" header.d="a.example"',
    ['foo.example', 'dkim=fail reason=bad; (very) "bad" header.d=a.example'],
  ],
  [
    'comments wherever they may be, one inside another',
    '(x) foo.example (y (z) ;) 1 (w); dkim (a=b;) = (c) pass (d) header.d (e) = a.example',
    ['foo.example', 'dkim=pass header.d=a.example'],
  ],
  ['a quoted name', '"mx one"; spf=none', ['mx one', 'spf=none']],
  [
    'an equal sign inside a value',
    'mx; spf=pass smtp.mailfrom=b+u=a.example@c.example',
    ['mx', 'spf=pass smtp.mailfrom=b+u=a.example@c.example'],
  ],
  [
    'a value that ends with an equal sign, and an empty one',
    'mx; dkim=pass header.b=Xk= header.d=a.example; spf=pass smtp.mailfrom="" smtp.helo = b.example',
    ['mx', 'dkim=pass header.b=Xk= header.d=a.example', 'spf=pass smtp.mailfrom= smtp.helo=b.example'],
  ],
  ['no method at all', 'mx.example', ['mx.example']],
  ['methods that say nothing', 'mx; dkim; =pass; spf= ; dmarc=pass', ['mx', 'dmarc=pass']],
  ['nothing', '', null],
  ['a sentence', 'this is no such field; dmarc=pass', null],
  ['an open quote and an open comment', 'mx; dmarc=pass header.from="a (', ['mx', 'dmarc=pass header.from=a (']],
])('reads %s', (_, value, expected) => {
  expect(lineOf(value)).toEqual(expected);
});

it('keeps the DMARC result after any number of signatures', () => {
  const { results } = parseAuthenticationResults(`mx${'; dkim=fail'.repeat(1_000)}; dmarc=fail`)!;
  expect(results.filter(({ method }) => method === 'dmarc')).toMatchObject([{ result: 'fail' }]);
});

it('keeps no more results than a server would write', () => {
  expect(parseAuthenticationResults(`mx${'; dkim=pass'.repeat(1_000)}`)?.results).toHaveLength(50);
});
