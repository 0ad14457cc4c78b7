import { addDays, rate } from '@dmarc-ledger/vocabulary';

const ok = (details: string) => ({ status: 'ok' as const, details });

/** The thirty days up to 1 March: 12,600 messages, of which 101 fail. */
const sparkline = Array.from({ length: 30 }, (_, i) => ({
  date: addDays('2026-01-31', i),
  compliance_rate: rate(i < 11 ? 416 : 417, 420),
  total_messages: 420,
}));

/** A domain that is nearly fully protected. */
export const healthExample = {
  domain: 'example.com',
  overall_score: 93,
  grade: 'A' as const,
  verdict: 'Strong: 99.2% of mail passes DMARC.',
  last_report_date: '2026-03-01',
  total_messages: 12_600,
  dns: {
    dmarc: ok('The DMARC policy is quarantine.'),
    spf: ok('The SPF record is valid and uses 4 of 10 DNS lookups.'),
    dkim: ok('2 DKIM selectors have valid keys.'),
    mta_sts: {
      status: 'error' as const,
      details: 'No MTA-STS record is published.',
      hosted_cta: { label: 'Set up hosted MTA-STS', url: '/domains/example.com/hosted/mta_sts' },
    },
    tls_rpt: ok('TLS reports are requested.'),
    bimi: ok('The domain declines BIMI.'),
    dane: { status: 'unknown' as const, details: 'DANE could not be checked: no validating resolver.' },
    aprf: { status: 'unknown' as const, details: 'No APRF record was found.' },
  },
  compliance: { rate: 99.2, spf_pass: 95.5, dkim_pass: 97.1, policy: 'quarantine' as const },
  top_senders: [
    {
      ip: '203.0.113.5',
      count: 9_400,
      spf_result: 'pass' as const,
      dkim_result: 'pass' as const,
      service_name: 'Google Workspace',
      service_icon: 'google',
      service_slug: 'google-workspace',
    },
  ],
  alert_count: 1,
  action_items: [
    {
      type: 'dns_mta_sts',
      severity: 'low' as const,
      title: 'MTA-STS is not set up',
      suggested_action: 'Protect inbound mail against downgrade attacks.',
      cta_url: '/domains/example.com/hosted/mta_sts',
      cta_label: 'Set up MTA-STS',
    },
  ],
  trend_sparkline: sparkline,
  aprf_placement: [],
  computed_at: '2026-03-02T06:00:00Z',
};
