import { addReportAddress, addTlsReportAddress, readTlsReportUris } from '@dmarc-ledger/dns-records';
import { expect, it } from 'vitest';

const ADDED = 'mailto:dmarc@ledger.example';

it.each([
  ['v=DMARC1; p=reject', `v=DMARC1; p=reject; rua=${ADDED}`],
  ['v=DMARC1; p=reject; ', `v=DMARC1; p=reject; rua=${ADDED}`],
  ['v=DMARC1; p=reject; rua=; adkim=s', `v=DMARC1; p=reject; rua=${ADDED}; adkim=s`],
  ['v=DMARC1; rua = mailto:a@x.test!10m ;p=reject', `v=DMARC1; rua=mailto:a@x.test!10m,${ADDED};p=reject`],
  ['v=DMARC1; p=reject; rua=https://x.test/r', `v=DMARC1; p=reject; rua=https://x.test/r,${ADDED}`],
  ['v=DMARC1; p=reject; rua=a@x.test', `v=DMARC1; p=reject; rua=mailto:a@x.test,${ADDED}`],
  ['v=DMARC1; p=reject; rua=mailto:', `v=DMARC1; p=reject; rua=${ADDED}`],
  ['v=DMARC1; p=reject; rua=dmarc@ledger.example', `v=DMARC1; p=reject; rua=${ADDED}`],
  [
    'v=DMARC1; p=reject; rua=mailto:a@x.test mailto:b@x.test',
    `v=DMARC1; p=reject; rua=mailto:a@x.test,mailto:b@x.test,${ADDED}`,
  ],
  [
    'v=DMARC1; rua=mailto:a@x.test; p=reject; rua=mailto:DMARC@ledger.example',
    'v=DMARC1; rua=mailto:a@x.test,mailto:DMARC@ledger.example; p=reject',
  ],
  ['v=DMARC1; p=reject; ruf=mailto:a@x.test', `v=DMARC1; p=reject; ruf=mailto:a@x.test; rua=${ADDED}`],
])('a DMARC record reports to one more address, and to those that could not be read: %s', (record, expected) => {
  expect(addReportAddress(record, 'dmarc@ledger.example')).toBe(expected);
});

it.each([
  ['v=TLSRPTv1; rua=mailto:a@x.test', `v=TLSRPTv1; rua=mailto:a@x.test,${ADDED}`],
  ['v=TLSRPTv1;rua=https://x.test/t;', `v=TLSRPTv1;rua=https://x.test/t,${ADDED};`],
])('a TLS-RPT record reports to one more address: %s', (record, expected) => {
  expect(addTlsReportAddress(record, 'dmarc@ledger.example')).toBe(expected);
});

it.each([
  [['v=TLSRPTv1; rua=mailto:a@x.test'], 1],
  [['v=TLSRPTv1; rua=mailto:a@x.test', 'v=TLSRPTv1; rua=mailto:b@x.test'], undefined],
  [['v=TLSRPTv1; rua = mailto:a@x.test'], undefined],
  [['v=TLSRPTv1'], undefined],
])('TLS reports go to the addresses of one valid record: %j', (records, expected) => {
  expect(readTlsReportUris(records)?.length).toBe(expected);
});
