import { describe, expect, it } from 'vitest';
import { recordToPublish } from '../src/texts/publish.ts';
import { dmarcToCorrect } from '../src/texts/publish-dmarc.ts';
import { aliasText } from '../src/texts/to-publish.ts';

const none: readonly string[] = [];
const present = {
  domain: 'example.com',
  isKnown: true,
  records: none,
  notes: none,
  addresses: ['dmarc@reports.example.com'],
  today: '2026-11-23',
};
const values = (...asked: Parameters<typeof recordToPublish>) => recordToPublish(...asked).map(({ value }) => value);

it.each([
  ['a domain without a record', [], ['v=DMARC1; p=none; rua=mailto:dmarc@reports.example.com']],
  ['a record that reports here', ['v=DMARC1; p=reject; rua=mailto:DMARC@reports.example.com'], []],
  [
    'a record that reports elsewhere',
    ['v=DMARC1; p=reject; rua=mailto:a@other.example; adkim=s'],
    ['v=DMARC1; p=reject; rua=mailto:a@other.example,mailto:dmarc@reports.example.com; adkim=s'],
  ],
  [
    'a record that reports to a longer address',
    ['v=DMARC1; p=none; rua=mailto:xdmarc@reports.example.com'],
    ['v=DMARC1; p=none; rua=mailto:xdmarc@reports.example.com,mailto:dmarc@reports.example.com'],
  ],
  [
    'a record that reports here with an encoded address',
    ['v=DMARC1; p=none; rua=mailto:dmarc%40reports.example.com'],
    [],
  ],
  ['a record that reports here with a size', ['v=DMARC1; p=none; rua = mailto:dmarc@reports.example.com!10m'], []],
  ['a record without reports', ['v=DMARC1; p=reject;'], ['v=DMARC1; p=reject; rua=mailto:dmarc@reports.example.com']],
  [
    'a record with an empty rua',
    ['v=DMARC1; p=none; rua='],
    ['v=DMARC1; p=none; rua=mailto:dmarc@reports.example.com'],
  ],
  [
    'a record that has our address for failure reports alone',
    ['v=DMARC1; p=none; rua=mailto:a@other.example; ruf=mailto:dmarc@reports.example.com'],
    [
      'v=DMARC1; p=none; rua=mailto:a@other.example,mailto:dmarc@reports.example.com; ' +
        'ruf=mailto:dmarc@reports.example.com',
    ],
  ],
  [
    'a record that has our address in a second rua, which receivers ignore',
    ['v=DMARC1; p=none; rua=mailto:a@other.example; rua=mailto:dmarc@reports.example.com'],
    ['v=DMARC1; p=none; rua=mailto:a@other.example,mailto:dmarc@reports.example.com'],
  ],
  [
    'a record that has our address behind a space',
    ['v=DMARC1; p=none; rua=mailto:a@other.example mailto:dmarc@reports.example.com'],
    ['v=DMARC1; p=none; rua=mailto:a@other.example,mailto:dmarc@reports.example.com'],
  ],
  [
    'a record with an address that has no mailto:',
    ['v=DMARC1; p=none; rua=a@other.example'],
    ['v=DMARC1; p=none; rua=mailto:a@other.example,mailto:dmarc@reports.example.com'],
  ],
  ['a record whose policy has to be corrected first', ['v=DMARC1; p=rejcet'], []],
  ['a record without a policy', ['v=DMARC1; sp=reject'], []],
  [
    'a record that counts as p=none only because it asks for reports',
    ['v=DMARC1; p=rejcet; rua=mailto:a@other.example'],
    [],
  ],
  ['several records, of which one has to go first', ['v=DMARC1; p=none', 'v=DMARC1; p=reject'], []],
])('suggests for %s a record that keeps its policy', (_, records, expected) => {
  expect(values('dmarc', { ...present, records })).toEqual(expected);
});

it('adds the address to an inherited record where it stands, and to none of a public suffix', () => {
  const below = { ...present, domain: 'mail.example.com', inheritedFrom: 'example.com' };
  expect(recordToPublish('dmarc', { ...below, records: ['v=DMARC1; p=reject; sp=none'] })).toMatchObject([
    { name: '_dmarc.example.com', value: 'v=DMARC1; p=reject; sp=none; rua=mailto:dmarc@reports.example.com' },
  ]);
  expect(values('dmarc', { ...below, records: ['v=DMARC1; p=reject; psd=y'] })).toEqual([]);
});

it.each([
  ['v=DMARC1; p=reject', 'v=DMARC1; p=reject; rua=mailto:dmarc@reports.example.com'],
  [
    'v=DMARC1; p=none; sp=quarantine; np=reject; adkim=s; rua=mailto:a@registry.example; psd=y',
    'v=DMARC1; p=quarantine; np=reject; adkim=s; rua=mailto:dmarc@reports.example.com',
  ],
  [
    'v=DMARC1; p=reject; np=rejct; rua=mailto:a@registry.example',
    'v=DMARC1; p=none; rua=mailto:dmarc@reports.example.com',
  ],
  ['v=DMARC1; p=quarantine; t=y; fo=1', 'v=DMARC1; p=quarantine; t=y; rua=mailto:dmarc@reports.example.com'],
])('asks for no change of a record of a public suffix: beside %s, one of your own keeps its policy', (above, value) => {
  for (const domain of ['agency.gov.uk', 'mail.agency.gov.uk']) {
    const records = recordToPublish('dmarc', { ...present, domain, inheritedFrom: 'gov.uk', records: [above] });
    expect(records[0]).toMatchObject({ name: '_dmarc.agency.gov.uk', value });
    expect(records.map(({ name }) => name)).not.toContain('_dmarc.gov.uk');
    expect(records[1]?.name).toBe('agency.gov.uk._report._dmarc.reports.example.com');
  }
  const fault = { inheritedFrom: 'gov.uk', records: ['v=DMARC1; p=rejcet; rua=mailto:a@registry.example'] };
  expect(dmarcToCorrect({ domain: 'agency.gov.uk', ...fault })).toBeUndefined();
});

it.each([
  [
    'v=DMARC1; p=rejcet',
    'Correct the record at _dmarc.example.com first: p=rejcet is not a policy, so that receivers ignore the record. A ' +
      'policy is none, quarantine or reject.',
  ],
  [
    'v=DMARC1; sp=reject',
    'Correct the record at _dmarc.example.com first: p is missing, so that receivers ignore the record. A policy is ' +
      'none, quarantine or reject.',
  ],
  [
    'v=DMARC1; p=reject; sp=nonee; rua=mailto:a@other.example',
    'Correct the record at _dmarc.example.com first: sp=nonee is not a policy, so that receivers take it for p=none. ' +
      'A policy is none, quarantine or reject.',
  ],
  ['v=DMARC1; p=reject', undefined],
])('says what to correct in %s', (record, expected) => {
  expect(dmarcToCorrect({ domain: 'example.com', records: [record] })).toBe(expected);
});

it.each([
  [[], ['v=TLSRPTv1; rua=mailto:dmarc@reports.example.com']],
  [['v=TLSRPTv1; rua=mailto:dmarc@reports.example.com'], []],
  [
    ['v=TLSRPTv1; rua=mailto:a@other.example'],
    ['v=TLSRPTv1; rua=mailto:a@other.example,mailto:dmarc@reports.example.com'],
  ],
  [['v=TLSRPTv1; rua=mailto:a@other.example', 'v=TLSRPTv1; rua=mailto:b@other.example'], []],
])('suggests a TLS-RPT record that reports here, beside %j', (records, expected) => {
  expect(values('tls_rpt', { ...present, records })).toEqual(expected);
});

it.each([
  ['example.com', 'mailto:dmarc@mail.example.com'],
  ['other.example', 'mailto:dmarc@ledger.example'],
])('suggests for %s the address in its own domain before another one', (domain, expected) => {
  const addresses = ['dmarc@ledger.example', 'dmarc@mail.example.com'];
  expect(values('dmarc', { ...present, domain, addresses })[0]).toBe(`v=DMARC1; p=none; rua=${expected}`);
});

it('suggests nothing while it is not known whether a record stands', () => {
  for (const protocol of ['dmarc', 'spf', 'mta_sts', 'tls_rpt', 'bimi'] as const) {
    expect(values(protocol, { ...present, isKnown: false })).toEqual([]);
  }
});

it('suggests a placeholder where the organization has no report address', () => {
  const [record] = recordToPublish('dmarc', { ...present, addresses: [] });
  expect(record?.value).toBe('v=DMARC1; p=none; rua=mailto:reports@example.com');
  expect(record?.what).toContain('in place of reports@example.com, put the address where your reports are to arrive');
  expect(recordToPublish('dmarc', present)[0]?.what).not.toContain('in place of');
});

it('suggests nothing to replace a record that stands', () => {
  for (const protocol of ['spf', 'mta_sts', 'tls_rpt', 'bimi'] as const) {
    expect(values(protocol, { ...present, records: ['anything'] })).toEqual([]);
  }
});

it.each<[string, string[] | undefined, string | undefined]>([
  ['its mail servers', ['mx1.example.net', 'mx2.example.net'], 'mx: mx1.example.net\nmx: mx2.example.net\n'],
  ['a placeholder while they are not known', undefined, 'mx: mail.example.com\n'],
  ['nothing where it receives no mail', [], undefined],
])('suggests an MTA-STS policy of a domain that names %s', (_, mailServers, expected) => {
  const file = recordToPublish('mta_sts', { ...present, mailServers }).at(1);
  expect(file?.value).toBe(expected && `version: STSv1\nmode: testing\n${expected}max_age: 604800`);
});

it('names the policy file beside the record of MTA-STS, and an id that changes by day', () => {
  const [record, file] = recordToPublish('mta_sts', present);
  expect(record).toMatchObject({ name: '_mta-sts.example.com', type: 'TXT', value: 'v=STSv1; id=20261123' });
  expect(file?.name).toBe('https://mta-sts.example.com/.well-known/mta-sts.txt');
});

describe('a report address at another organization', () => {
  const elsewhere = { ...present, domain: 'shop.example.com', addresses: ['dmarc@ledger.example'] };
  const allowed = ['shop.example.com._report._dmarc.ledger.example', 'v=DMARC1'];
  const note = `reporters may not send to ledger.example until a TXT record at ${allowed[0]} says v=DMARC1`;
  const ofDmarc = (change: Partial<typeof elsewhere> & { inheritedFrom?: string } = {}) =>
    recordToPublish('dmarc', { ...elsewhere, ...change }).map(({ name, value }) => [name, value]);

  it('needs a record there too, without which reporters send nothing', () => {
    expect(ofDmarc()).toEqual([
      ['_dmarc.shop.example.com', 'v=DMARC1; p=none; rua=mailto:dmarc@ledger.example'],
      allowed,
    ]);
  });

  it.each([
    ['the check found that it is missing', [note], [allowed]],
    ['nothing is missing', none, []],
  ])('%s: the record there is suggested only if it is missing', (_, notes, expected) => {
    expect(ofDmarc({ records: ['v=DMARC1; p=reject; rua=mailto:dmarc@ledger.example'], notes })).toEqual(expected);
  });

  it('is permitted for the domain of the record, where a subdomain inherits it', () => {
    const inherited = {
      records: ['v=DMARC1; p=reject; rua=mailto:dmarc@ledger.example'],
      notes: [note.replace('shop.example.com', 'example.com')],
      inheritedFrom: 'example.com',
    };
    expect(ofDmarc(inherited)).toEqual([['example.com._report._dmarc.ledger.example', 'v=DMARC1']]);
  });
});

it('a record at a name that is an alias is said to belong where the alias leads', () => {
  const aliases = new Map([['_dmarc.example.com', 'example.com.hosted.example']]);
  const records = ['v=DMARC1; p=reject; rua=mailto:a@other.example'];
  expect(recordToPublish('dmarc', { ...present, records, aliases })).toMatchObject([
    { name: '_dmarc.example.com', aliasOf: 'example.com.hosted.example' },
  ]);
  const tls = new Map([['_smtp._tls.example.com', 'gone.hosted.example']]);
  expect(recordToPublish('tls_rpt', { ...present, aliases: tls })).toMatchObject([{ aliasOf: 'gone.hosted.example' }]);
  expect(recordToPublish('dmarc', { ...present, aliases: tls })[0]).not.toHaveProperty('aliasOf');
  expect(aliasText({ name: '_dmarc.example.com', target: 'example.com.hosted.example' })).toBe(
    '_dmarc.example.com is an alias (CNAME) of example.com.hosted.example, and no record can stand beside an alias: ' +
      'change the record there, or remove the alias first.',
  );
});

it('no permission is asked for where it stands and names another address', () => {
  const own = { ...present, addresses: ['dmarc@ledger.example'] };
  const records = ['v=DMARC1; p=reject; rua=mailto:dmarc@ledger.example'];
  const name = 'example.com._report._dmarc.ledger.example';
  const sent = `reporters send to mailto:a@ledger.example in place of your address, as the record at ${name} says`;
  expect(values('dmarc', { ...own, records, notes: [sent] })).toEqual([]);
});
