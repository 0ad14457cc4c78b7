import { expect, it } from 'vitest';
import { partsOf } from '../src/texts/record-tags.ts';

const unknown = (protocol: string, record: string) =>
  partsOf(protocol, record)
    .filter(({ meaning }) => meaning === undefined)
    .map(({ text }) => text);

it.each([
  [
    'dmarc',
    'v=DMARC1; p=none; sp=reject; np=reject; adkim=s; aspf=r; t=y; psd=n; fo=1; rua=mailto:a@b.example; pct=50',
  ],
  [
    'spf',
    'v=spf1 +mx a:mail.example.com ip4:192.0.2.0/24 ip6:2001:db8::/32 include:_spf.example exists:%{i}.x.example -all',
  ],
  ['spf', 'v=spf1 redirect=_spf.example.com'],
  ['dkim', 'v=DKIM1; k=rsa; t=y; h=sha256; s=email; n=note; p=MIGf'],
  ['tls_rpt', 'v=TLSRPTv1; rua=mailto:tls@example.com'],
  ['mta_sts', 'v=STSv1; id=20261123'],
  ['bimi', 'v=BIMI1; l=https://example.com/logo.svg; a='],
])('explains every part of a usual %s record', (protocol, record) => {
  expect(partsOf(protocol, record).length).toBeGreaterThan(1);
  expect(unknown(protocol, record)).toEqual([]);
});

it('shows what it does not know as it stands', () => {
  expect(unknown('dmarc', 'v=DMARC1; p=none; x-own=1; <script>')).toEqual(['x-own=1', '<script>']);
  expect(unknown('dane', '3 1 1 abcdef')).toEqual(['3 1 1 abcdef']);
  expect(partsOf('dmarc', ' ;; ')).toEqual([]);
});

it('says what the sign before a term of SPF makes of it', () => {
  const meanings = partsOf('spf', 'v=spf1 ip4:192.0.2.1 -ip4:192.0.2.2 ~a:b.example ?mx -all').map(
    ({ meaning }) => meaning,
  );
  expect(meanings.slice(1)).toEqual([
    'This address or network may send.',
    'This address or network may not send.',
    'The addresses of this host probably may not send; costs a lookup.',
    'The mail servers of this domain get no answer either way; costs a lookup.',
    'Everybody else may not send.',
  ]);
});

it('says what the value of a DMARC policy means', () => {
  const meanings = partsOf('dmarc', 'v=DMARC1; p=none; sp = Reject; np=quarantine; p=other').map(
    ({ meaning }) => meaning,
  );
  expect(meanings.slice(1)).toEqual([
    'Failing mail of the domain is treated like any other.',
    'Failing mail of subdomains that exist is to be refused.',
    'Failing mail of subdomains that do not exist is to be treated as suspicious, for example in a spam folder.',
    'What to do with failing mail of the domain: none, quarantine or reject.',
  ]);
});
