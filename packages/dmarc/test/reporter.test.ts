import { reporterDomain, reporterKey, statedReporter } from '@dmarc-ledger/dmarc';
import { expect, it } from 'vitest';

it.each<[string, string | null, string | null, { stated: string | null; key: string; domain: string | null }]>([
  ['its address', 'DMARC@Google.COM', 'Somebody', { stated: 'Google.COM', key: 'google.com', domain: 'google.com' }],
  ['a domain as its name', null, 'Google.COM.', { stated: 'Google.COM.', key: 'google.com.', domain: 'google.com' }],
  ['another name', null, 'Google Inc.', { stated: 'Google Inc.', key: 'google inc.', domain: null }],
  ['an address without a domain', 'postmaster', 'Yahoo', { stated: 'Yahoo', key: 'yahoo', domain: null }],
  [
    'the same domain of two `@` for all',
    'a@b.example@c.example',
    null,
    { stated: 'b.example', key: 'b.example', domain: 'b.example' },
  ],
  [
    'U-labels',
    'a@Bücher.example',
    null,
    { stated: 'Bücher.example', key: 'bücher.example', domain: 'xn--bcher-kva.example' },
  ],
  [
    'an address in angle brackets',
    'Reporter <a@B.example>',
    null,
    { stated: 'B.example>', key: 'b.example>', domain: 'b.example' },
  ],
  ['nothing', null, null, { stated: null, key: '', domain: null }],
])('reads the reporter from %s', (_, email, reporterName, expected) => {
  const reporter = { email, reporterName };
  expect({ stated: statedReporter(reporter), key: reporterKey(reporter), domain: reporterDomain(reporter) }).toEqual(
    expected,
  );
});
