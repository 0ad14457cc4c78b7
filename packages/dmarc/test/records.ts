import type { PolicyPublished, ReportRecord } from '../src/report.ts';

/** A policy for example.com that requests nothing unusual, with these changes. */
export function policy(change: Partial<PolicyPublished> = {}): PolicyPublished {
  return {
    domain: 'example.com',
    adkim: 'r',
    aspf: 'r',
    p: 'reject',
    sp: null,
    np: null,
    pct: null,
    fo: null,
    testing: null,
    psd: null,
    discoveryMethod: null,
    ...change,
  };
}

interface Short {
  dkim?: [domain: string, result: string, selector?: string][];
  spf?: [domain: string, result: string, scope?: 'mfrom' | 'helo'][];
  evaluated?: [dkim: 'pass' | 'fail', spf: 'pass' | 'fail'];
  disposition?: ReportRecord['policyEvaluated']['disposition'];
  reasons?: ReportRecord['policyEvaluated']['reasons'];
  headerFrom?: string;
  envelopeFrom?: string | null;
  count?: number;
}

/** A record with the fields that matter to a test, and defaults. */
export function record(short: Short = {}): ReportRecord {
  const [dkim, spf] = short.evaluated ?? ['fail', 'fail'];
  return {
    sourceIp: '203.0.113.5',
    sourceIpText: '203.0.113.5',
    count: short.count ?? 1,
    policyEvaluated: { disposition: short.disposition ?? 'none', dkim, spf, reasons: short.reasons ?? null },
    identifiers: {
      headerFrom: short.headerFrom ?? 'example.com',
      envelopeFrom: short.envelopeFrom ?? null,
      envelopeTo: null,
    },
    authResults: {
      dkim:
        short.dkim?.map(([domain, result, selector]) => ({
          domain,
          selector: selector ?? null,
          result: result as 'pass',
          humanResult: null,
        })) ?? null,
      spf:
        short.spf?.map(([domain, result, scope]) => ({
          domain,
          scope: scope ?? 'mfrom',
          result: result as 'pass',
          humanResult: null,
        })) ?? null,
    },
  };
}
