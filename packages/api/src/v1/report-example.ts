import type { z } from 'zod';
import type { Report } from './report-schema.ts';

export const reportExample: z.input<typeof Report> = {
  Version: '1.0',
  ReportMetadata: {
    OrgName: 'google.com',
    Email: 'noreply-dmarc-support@google.com',
    ExtraContactInfo: null,
    ReportID: '12345678901234567890',
    DateRange: { Begin: 1772323200, End: 1772409599 },
    Errors: null,
    Generator: null,
  },
  PolicyPublished: {
    Domain: 'example.com',
    ADKIM: 'r',
    ASPF: 'r',
    P: 'quarantine',
    SP: null,
    NP: null,
    PCT: 100,
    FO: null,
    T: null,
    PSD: null,
    DiscoveryMethod: null,
  },
  Records: [
    {
      Row: {
        SourceIP: '203.0.113.5',
        Count: 12,
        PolicyEvaluated: { Disposition: 'none', DKIM: 'pass', SPF: 'fail', Reason: null },
      },
      Identifiers: { EnvelopeTo: null, EnvelopeFrom: 'bounce.example.net', HeaderFrom: 'example.com' },
      AuthResults: {
        DKIM: [{ Domain: 'example.com', Selector: 's1', Result: 'pass', HumanResult: null }],
        SPF: [{ Domain: 'bounce.example.net', Scope: 'mfrom', Result: 'pass', HumanResult: null }],
      },
    },
  ],
  record_classifications: ['authenticated'],
  record_alignment: [{ spf: [false], dkim: [true] }],
  failure_summary: { spf_only: 1, dkim_only: 0, both: 0, total: 1 },
};
