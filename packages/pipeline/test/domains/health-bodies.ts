import { bodyOf, gap, noDkim, noDmarc, noSpf, sparkline, type ExpectedHealth } from './expect-health.ts';
import { healthDomains } from './health-domains.ts';
import type { Published } from './published.ts';

const NEVER = 'unknown: Not checked yet.';
const none = { dmarc: 'Set up', spf: 'Set up', mta_sts: 'Set up', tls_rpt: 'Set up', bimi: 'Set up' } as const;
const plain = { mta_sts: 'Set up', tls_rpt: 'Set up', bimi: 'Set up' } as const;

const expected: { [domain: string]: ExpectedHealth } = {
  'good.com': {
    fields: {
      overall_score: 98,
      grade: 'A+',
      verdict: 'Protected: all mail passes DMARC.',
      last_report_date: '2026-03-09',
      total_messages: 100,
      compliance: { rate: 100, spf_pass: 90, dkim_pass: 100, policy: 'reject' },
      top_senders: [
        { ip: '198.51.100.1', count: 90, spf_result: 'pass', dkim_result: 'pass', ...google() },
        { ip: '198.51.100.2', count: 10, spf_result: 'fail', dkim_result: 'pass' },
      ],
      trend_sparkline: sparkline('2026-03-09', { '2026-03-08': [100, 90], '2026-03-09': [100, 10] }),
      aprf_placement: [
        placement('2026-03-04', 'Aqua Post', 'good.com', 's1', { inbox: 1 }, ['retail', 'weekly']),
        placement('2026-03-10', 'Blue Harbor Mail', '*.good.com', '*', { spam: 3, inbox: 2 }, []),
        placement('2026-03-10', 'Blue Harbor Mail', 'good.com', 's1', { unwanted: 4 }, ['one']),
      ],
      empty_state: { healthy: true, message: 'Everything looks good.' },
    },
  },
  'mail.good.com': {
    offers: { mta_sts: 'Set up', tls_rpt: 'Set up' },
    fields: {
      empty_state: {
        healthy: false,
        message: 'Waiting for the first report; receivers usually send one within 48 hours.',
      },
    },
  },
  'twice.com': {
    offers: {
      dmarc: 'Fix with',
      spf: 'Fix with',
      dkim: 'Fix with',
      mta_sts: 'Fix with',
      tls_rpt: 'Fix with',
      bimi: 'Fix with',
      dane: 'Set up',
    },
    items: [
      noDmarc('twice.com'),
      noSpf('twice.com'),
      noDkim('twice.com'),
      {
        type: 'spoofing_campaign',
        severity: 'high',
        title: 'Possible spoofing campaign for twice.com',
        suggested_action:
          'Check that none of the sources is yours; a stricter policy stops the others, once your own senders pass.',
        cta_label: 'View details',
        cta_url: '/sources?domain=twice.com',
      },
      gap(
        'twice.com',
        'mta_sts',
        'medium',
        'MTA-STS is broken',
        'Repair the policy; some senders may refuse to deliver.',
        'Fix MTA-STS',
      ),
    ],
    fields: { alert_count: 6 }, // the sixth, about BIMI, is counted and not shown
  },
  'empty.com': { offers: none, items: [noDmarc('empty.com'), noSpf('empty.com')] },
  'nowhere.com': { offers: none, items: [noDmarc('nowhere.com'), noSpf('nowhere.com')] },
  'corp.local': {
    offers: none, // a selector that never passes, and that no own source carries, is not known
    items: [noDmarc('corp.local'), noSpf('corp.local')],
    fields: {
      overall_score: 5,
      grade: 'F',
      verdict: 'Monitoring only: 0% of mail passes DMARC.',
      last_report_date: '2026-03-09',
      total_messages: 5,
      top_senders: [{ ip: '198.51.100.4', count: 5, spf_result: 'fail', dkim_result: 'fail' }],
      trend_sparkline: sparkline('2026-03-09', { '2026-03-09': [0, 5] }),
    },
  },
  'elsewhere.com': {
    offers: { dane: 'Fix with' },
    items: [
      gap(
        'elsewhere.com',
        'spf',
        'medium',
        'SPF record is too permissive',
        'End the record with ~all or -all.',
        'Review record',
      ),
      gap(
        'elsewhere.com',
        'dkim',
        'medium',
        'DKIM keys need attention',
        'The DKIM key for selector s1 has 1024 bits; 2048 is recommended.',
        'Review keys',
      ),
      gap(
        'elsewhere.com',
        'dmarc',
        'low',
        'DMARC record can be improved',
        'The DMARC policy is reject, but reports go elsewhere.',
        'Review record',
      ),
    ],
  },
  'dead.com': { fields: { empty_state: pointAtUs('dead.com') } },
  'quiet.com': {
    offers: plain,
    fields: {
      empty_state: {
        healthy: false,
        message: 'Waiting for the first report; receivers usually send one within 48 hours.',
      },
    },
  },
  'unsure.com': {
    offers: { mta_sts: 'Set up', tls_rpt: 'Set up' },
    fields: {
      overall_score: 100,
      grade: 'A+',
      verdict: 'Protected: all mail passes DMARC.',
      last_report_date: '2026-03-10',
      total_messages: 10,
      compliance: { rate: 100, spf_pass: 100, dkim_pass: 100, policy: 'reject' },
      top_senders: [{ ip: '198.51.100.1', count: 10, spf_result: 'pass', dkim_result: 'pass', ...google() }],
      trend_sparkline: sparkline('2026-03-10', { '2026-03-10': [100, 10] }),
      empty_state: { healthy: false, message: 'Some DNS records could not be checked.' },
    },
  },
  'low.com': {
    offers: plain,
    fields: {
      overall_score: 60,
      grade: 'D',
      verdict: '50% of mail fails DMARC.',
      last_report_date: '2026-03-09',
      total_messages: 100,
      compliance: { rate: 50, spf_pass: 50, dkim_pass: 50, policy: 'reject' },
      top_senders: [
        { ip: '198.51.100.2', count: 50, spf_result: 'pass', dkim_result: 'pass' },
        { ip: '198.51.100.3', count: 50, spf_result: 'fail', dkim_result: 'fail' },
      ],
      trend_sparkline: sparkline('2026-03-09', { '2026-03-09': [50, 100] }),
      empty_state: {
        healthy: false,
        message: 'Nothing needs action right now, but compliance can improve.',
        cta_label: 'Review sources',
        cta_url: '/sources?domain=low.com',
      },
    },
  },
  'late.com': {
    offers: { ...plain, dane: 'Set up' },
    items: [
      gap(
        'late.com',
        'dmarc',
        'medium',
        'DMARC policy is not enforced',
        'Move the policy to quarantine once your senders pass.',
        'Change policy',
      ),
      gap(
        'late.com',
        'mta_sts',
        'low',
        'MTA-STS is not set up',
        'Protect inbound mail against downgrade attacks.',
        'Set up MTA-STS',
      ),
    ],
    fields: {
      overall_score: 85,
      grade: 'B',
      verdict: 'No reports since 2026-02-10; figures are from that time.',
      last_report_date: '2026-02-10',
      total_messages: 20,
      compliance: { rate: 100, spf_pass: 100, dkim_pass: 100, policy: 'none' },
      top_senders: [{ ip: '198.51.100.2', count: 20, spf_result: 'pass', dkim_result: 'pass' }],
      trend_sparkline: sparkline('2026-02-10', { '2026-02-10': [100, 20] }),
    },
  },
  'new.com': { fields: { empty_state: pointAtUs('new.com') } },
};

/** By domain, the whole body. */
export const healthBodies: [string, object][] = [
  ...healthDomains,
  { domain: 'new.com', found: Array.from({ length: 8 }, () => NEVER) as Published['found'] },
].map((published) => [published.domain, bodyOf(published, expected[published.domain]!)]);

function pointAtUs(domain: string) {
  return {
    healthy: false,
    message: 'Point your DMARC record at us to start receiving reports.',
    cta_label: 'Verify domain',
    cta_url: `/domains/${domain}/verify`,
  };
}

function google() {
  return { service_name: 'Google Workspace', service_icon: 'google', service_slug: 'google-workspace' };
}

function placement(
  day: string,
  source: string,
  domain: string,
  selector: string,
  counts: { [category: string]: number },
  segment: string[],
) {
  const classification = Object.entries(counts).map(([category, value]) => ({ category, value }));
  return {
    version: '7',
    sdi_used: 'N/F',
    extra_info: '',
    engagement: null,
    day,
    source,
    dkim_domain: domain,
    dkim_selector: selector,
    segment,
    classification,
  };
}
