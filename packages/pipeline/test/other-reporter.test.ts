import { expect, it } from 'vitest';
import { isAuthenticated } from '../src/intake/copy-origin.ts';
import { contactDomain, otherReporter } from '../src/intake/other-reporter.ts';

it.each<[string | null, string | null]>([
  ['tls@Reporter.example', 'reporter.example'],
  ['mailto:tls@reporter.example', 'reporter.example'],
  ['MAILTO:tls@reporter.example?subject=TLS', 'reporter.example'],
  ['TLS team <tls@reporter.example>', 'reporter.example'],
  ['<mailto:tls@reporter.example>', 'reporter.example'],
  ['tls@reporter.example, +1 555 0100', 'reporter.example'],
  ['tls@reporter.example.', 'reporter.example'],
  ['tls@Bücher.example', 'xn--bcher-kva.example'],
  ['a@reporter.example@evil.example', 'reporter.example'],
  ['a@reporter.example b@evil.example', 'reporter.example'],
  ['https://reporter.example/contact', null],
  ['reporter.example', null],
  ['tls@', null],
  ['tls@-', null],
  [`tls@${'a'.repeat(300)}.example`, null],
  ['@'.repeat(500), null],
  ['', null],
  [null, null],
])('the contact %s is at the domain %s', (contact, expected) => {
  expect(contactDomain(contact)).toBe(expected);
});

const tls = { reportId: null, begin: null, end: null, policies: [] };
const nameOf = (reporterName: string | null, contact: string | null) =>
  otherReporter({ kind: 'tlsrpt', report: { ...tls, reporterName, contact } });

it('a report without an address, and without a domain as its name, names no reporter that its mail could prove', () => {
  expect(nameOf('Reporter Inc.', null)).toBeUndefined();
  expect(nameOf('Reporter Inc.', 'call us')).toBeUndefined();
  expect(nameOf('reporter.example', null)).toEqual({ email: null, reporterName: 'reporter.example' });
});

const placement = {
  dkimDomain: 'example.com',
  dkimSelector: '*',
  version: '1',
  sdiUsed: '',
  extraInfo: '',
  contact: null,
  day: '2026-01-02',
  begin: 0,
  end: null,
  rows: [],
};

it.each<[string, string, string]>([
  ['Yahoo', 'dmarc.yahoo.com', 'yahoo.com'],
  ['AOL', 'aol.com', 'evil.example'],
  ['Mimecast', 'mimecastreport.com', 'evil.example'],
  ['AMAZON-SES', 'amazonses.com', 'evil.example'],
  ['Enterprise Outlook', 'microsoft.com', 'outlook.com'],
  ['Microsoft Corp.', 'microsoft.com', 'evil.example'],
])('a report of %s without an address is proved by mail of %s, and not by that of %s', (name, own, other) => {
  const reporters = [
    nameOf(name, null),
    nameOf(name, 'call us'),
    otherReporter({ kind: 'aprf', report: { ...placement, source: name } }),
  ];
  const mailOf = (from: string) => ({ from, authservId: 'mx.ours.example', dmarc: 'pass', spf: null, dkim: [] });
  const provedBy = (from: string) =>
    reporters.map((reporter) => isAuthenticated({ message: { source: 'mailbox' }, mailFacts: mailOf(from) }, reporter));
  expect([provedBy(own), provedBy(other)]).toEqual([Array(3).fill(true), Array(3).fill(false)]);
});
