import type { ReportRecord } from '@dmarc-ledger/dmarc';
import { describe, expect, it } from 'vitest';
import { detailOf, RecordDetails } from '../src/reports/record-details.ts';

const NONE = { dkim: null, spf: null };
const saying = (headerFrom: string): ReportRecord => ({
  sourceIp: '192.0.2.1',
  sourceIpText: '192.0.2.1',
  count: 1,
  policyEvaluated: { disposition: 'none', dkim: 'fail', spf: 'fail', reasons: null },
  identifiers: { headerFrom, envelopeFrom: null, envelopeTo: null },
  authResults: { dkim: null, spf: null },
});
const detail = (headerFrom: string) => detailOf(saying(headerFrom), NONE);

describe('details that are shared', () => {
  it('have one id for one content', () => {
    const [one, other] = [new RecordDetails(), new RecordDetails()];
    expect(one.share(detail('a.example'))).toMatch(/^[0-9a-f]{32}$/);
    expect(one.share(detail('a.example'))).toBe(other.share(detail('a.example')));
    expect(one.share(detail('b.example'))).not.toBe(one.share(detail('a.example')));
  });

  it('do not depend on address, number and recipient', () => {
    const record = saying('a.example');
    const identifiers = { ...record.identifiers, envelopeTo: 'recipient.example' };
    expect(detailOf({ ...record, sourceIp: '192.0.2.2', count: 9, identifiers }, NONE)).toEqual(detail('a.example'));
  });

  it('differ by what aligns, and between nothing and an empty list', () => {
    const details = new RecordDetails();
    const contents = [NONE, { dkim: [true], spf: null }, { dkim: [false], spf: null }, { dkim: [], spf: null }];
    expect(new Set(contents.map((aligned) => details.share(detailOf(saying('a.example'), aligned)))).size).toBe(4);
  });

  it('are so many, and known ones are shared further on', () => {
    const details = new RecordDetails({ details: 2, characters: 10_000 });
    const first = details.share(detail('a.example'));
    details.share(detail('b.example'));
    expect(details.share(detail('c.example'))).toBeUndefined();
    expect(details.share(detail('a.example'))).toBe(first);
  });

  it('are of so many characters together, so that long ones do not fill the memory', () => {
    const details = new RecordDetails({ details: 100, characters: 1_000 });
    expect(details.share(detail('a'.repeat(2_000)))).toBeUndefined();
    expect(details.share(detail('a'.repeat(500)))).toBeDefined();
    expect(details.share(detail('b'.repeat(500)))).toBeUndefined();
    expect(details.share(detail('c.example'))).toBeDefined();
  });
});
