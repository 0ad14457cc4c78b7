import { beforeAll, describe, expect, it } from 'vitest';
import { isChainMatched, type TlsaRecord } from '@dmarc-ledger/dns-records';
import { makeChains, tlsaOf, type Certificates } from './chains.ts';

const DAY = 86_400_000;
let made: Certificates;
beforeAll(async () => {
  made = await makeChains();
});

/** Records as `3 1 1 mx`, separated by commas; the chain as `mx middle`. */
function isMatched(records: string, chain: string, days = 1): boolean {
  const tlsa = records.split(', ').map((record): TlsaRecord => tlsaOf(record.slice(0, 5), made[record.slice(6)]!));
  return isChainMatched(tlsa, {
    chain: chain.split(' ').map((name) => made[name]!.raw),
    names: ['mx.firm.com', 'firm.com'],
    now: new Date(Date.now() + days * DAY),
  });
}

describe('DANE-EE compares the server’s own certificate, and nothing else', () => {
  it.each<[records: string, chain: string, expected: boolean, days?: number]>([
    ['3 1 1 mx', 'mx middle', true],
    ['3 1 2 mx', 'mx middle', true],
    ['3 1 0 mx', 'mx middle', true],
    ['3 0 1 mx', 'mx middle', true],
    ['3 0 2 mx', 'mx middle', true],
    ['3 0 0 mx', 'mx middle', true],
    ['3 1 1 alone', 'alone', true],
    ['3 1 1 other', 'other', true],
    ['3 1 1 mx', 'mx', true, 200],
    ['3 1 1 mx', 'mx', true, -10],
    ['3 1 1 star', 'mx middle', false],
    ['3 1 1 middle', 'mx middle', false],
    ['3 0 0 star', 'mx middle', false],
    ['3 1 1 star, 3 1 1 mx', 'mx middle', true],
    ['3 1 1 star, 2 1 1 middle', 'mx middle', true],
  ])('%s of %s: %j', (records, chain, expected, days) => expect(isMatched(records, chain, days)).toBe(expected));
});

describe('DANE-TA asks for an authority that was presented, a name, and certificates in their time', () => {
  it.each<[records: string, chain: string, expected: boolean, days?: number]>([
    ['2 1 1 middle', 'mx middle', true],
    ['2 0 1 middle', 'mx middle', true],
    ['2 0 2 middle', 'mx middle', true],
    ['2 1 2 root', 'mx middle root', true],
    ['2 0 1 root', 'mx middle root', true],
    ['2 0 1 root', 'mx middle', false], // the authority is missing
    ['2 1 1 root', 'mx middle', false],
    ['2 0 0 root', 'mx middle', true], // the record contains all of it
    ['2 1 0 root', 'mx middle', true],
    ['2 0 0 middle', 'mx', true],
    ['2 1 0 middle', 'mx', true],
    ['2 1 0 stranger', 'mx middle', false],
    ['2 0 0 stranger', 'mx middle', false],
    ['2 1 1 stranger', 'mx middle', false],
    ['2 1 1 middle', 'forged middle', false], // a name is not a signature
    ['2 1 1 stranger', 'forged stranger', true],
    ['2 1 1 root', 'mx root', false], // a link is missing
    ['2 1 1 mx', 'mx middle', false], // the server is not an authority
    ['2 1 1 alone', 'alone', false],
    ['2 1 1 alone', 'child alone', false],
    ['2 1 1 middle', 'mx middle', false, 200],
    ['2 1 1 middle', 'mx middle', false, -10],
    ['2 1 1 brief', 'early brief', true],
    ['2 1 1 brief', 'early brief', false, 40],
    ['2 0 0 brief', 'early', false, 40],
    ['2 1 1 middle', 'domain middle', true],
    ['2 1 1 middle', 'star middle', true],
    ['2 1 1 middle', 'part middle', false],
    ['2 1 1 middle', 'deep middle', false], // an asterisk for a whole top-level domain
    ['2 1 1 middle', 'common middle', true],
    ['2 1 1 middle', 'other middle', false],
  ])('%s of %s: %j', (records, chain, expected, days) => expect(isMatched(records, chain, days)).toBe(expected));
});

describe('what senders do not go by proves nothing', () => {
  it.each<[records: string, chain: string, expected: boolean]>([
    ['1 1 1 mx', 'mx middle', false],
    ['0 0 1 middle', 'mx middle', false],
    ['3 2 1 mx', 'mx middle', false],
    ['3 1 3 mx', 'mx middle', false],
    ['3 1 2 star, 3 1 1 mx', 'mx middle', false], // of two digests the stronger one counts
    ['3 1 2 star, 3 0 1 mx', 'mx middle', true],
    ['3 1 2 star, 3 1 0 mx', 'mx middle', true],
  ])('%s of %s: %j', (records, chain, expected) => expect(isMatched(records, chain)).toBe(expected));

  it('a record that cannot be read does not spoil the one beside it', () => {
    const garbage = [0, 1].map((selector) => ({ usage: 2, selector, matching: 0, data: Buffer.from('garbage') }));
    const presented = { chain: [made['mx']!.raw], names: ['mx.firm.com'], now: new Date() };
    expect(isChainMatched(garbage, presented)).toBe(false);
    expect(isChainMatched([...garbage, tlsaOf('3 1 1', made['mx']!)], presented)).toBe(true);
  });

  it.each([
    ['nothing', []],
    ['garbage', [Buffer.from('garbage')]],
  ])('a chain of %s matches no record', (_, chain) => {
    const presented = { chain, names: ['mx.firm.com'], now: new Date() };
    expect(isChainMatched([tlsaOf('3 1 1', made['mx']!)], presented)).toBe(false);
  });
});
