import { expect, it } from 'vitest';
import { recordToPublish } from '../src/texts/publish.ts';

const present = { domain: 'example.com', records: [], addresses: ['dmarc@ledger.example'], today: '2026-11-23' };
const values = (...asked: Parameters<typeof recordToPublish>) => recordToPublish(...asked).map(({ value }) => value);

it.each([
  ['a domain without a record', [], ['v=DMARC1; p=none; rua=mailto:dmarc@ledger.example']],
  ['a record that reports here', ['v=DMARC1; p=reject; rua=mailto:DMARC@ledger.example'], []],
  [
    'a record that reports elsewhere',
    ['v=DMARC1; p=reject; rua=mailto:a@other.example; adkim=s'],
    ['v=DMARC1; p=reject; rua=mailto:a@other.example,mailto:dmarc@ledger.example; adkim=s'],
  ],
  ['a record without reports', ['v=DMARC1; p=reject;'], ['v=DMARC1; p=reject; rua=mailto:dmarc@ledger.example']],
  ['several records, of which one has to go first', ['v=DMARC1; p=none', 'v=DMARC1; p=reject'], []],
])('suggests for %s a record that keeps its policy', (_, records, expected) => {
  expect(values('dmarc', { ...present, records })).toEqual(expected);
});

it('suggests a placeholder where the organization has no report address', () => {
  expect(values('dmarc', { ...present, addresses: [] })).toEqual(['v=DMARC1; p=none; rua=mailto:reports@example.com']);
});

it('suggests nothing to replace a record that stands', () => {
  for (const protocol of ['spf', 'mta_sts', 'tls_rpt', 'bimi'] as const) {
    expect(values(protocol, { ...present, records: ['anything'] })).toEqual([]);
  }
});

it('names the policy file beside the record of MTA-STS, and an id that changes by day', () => {
  const [record, file] = recordToPublish('mta_sts', present);
  expect(record).toMatchObject({ name: '_mta-sts.example.com', type: 'TXT', value: 'v=STSv1; id=20261123' });
  expect(file?.name).toBe('https://mta-sts.example.com/.well-known/mta-sts.txt');
});
