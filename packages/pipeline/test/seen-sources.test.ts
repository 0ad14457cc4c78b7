import type { ReportRecord } from '@dmarc-ledger/dmarc';
import { describe, expect, it } from 'vitest';
import { SeenSources } from '../src/records/seen-sources.ts';

/** A record whose mail shows so many identities. */
function recordOf(sourceIp: string, identities: number): ReportRecord {
  const dkim = Array.from({ length: identities }, (_, i) => ({
    domain: `d${i}.example`,
    selector: 's',
    result: 'pass' as const,
    humanResult: null,
  }));
  return {
    sourceIp,
    sourceText: null,
    count: 1,
    policyEvaluated: { disposition: 'none', dkim: 'fail', spf: 'fail', reasons: [] },
    identifiers: { headerFrom: 'example.com', envelopeFrom: null, envelopeTo: null },
    authResults: { dkim, spf: null },
  } as unknown as ReportRecord;
}

describe('the mail of addresses that waits to be noted', () => {
  it('counts equal mail of an address in a row once', () => {
    const sources = new SeenSources();
    for (const identities of [1, 1, 2]) sources.add(recordOf('192.0.2.1', identities));
    expect(sources.size).toBe(2);
  });

  it('counts mail of very many identities as the many groups whose memory it takes', () => {
    const sources = new SeenSources();
    for (const identities of [0, 8, 80]) sources.add(recordOf('192.0.2.1', identities));
    expect(sources.size).toBe(12);
  });

  it('counts to nothing when all of it is taken by others', () => {
    const [sources, others] = [new SeenSources(), new SeenSources()];
    for (const identities of [3, 100]) others.add(recordOf(`192.0.2.${identities}`, identities));
    const all = others.size;
    sources.takeFrom(others, 1_000);
    expect([sources.size, others.size]).toEqual([all, 0]);
  });
});
