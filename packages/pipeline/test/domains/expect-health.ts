import type { Published } from './published.ts';

/** The expected health of a domain, apart from its records. */
export interface ExpectedHealth {
  /** The first words of each protocol with an offer. */
  offers?: { [protocol: string]: 'Set up' | 'Fix with' };
  items?: object[];
  fields?: object;
}

const NAMES = ['DMARC', 'SPF', 'DKIM', 'MTA-STS', 'TLS-RPT', 'BIMI', 'DANE', 'APRF'];
const FIELDS = ['dmarc', 'spf', 'dkim', 'mta_sts', 'tls_rpt', 'bimi', 'dane', 'aprf'];

/** The body of a domain without reports, with other fields as given. */
export function bodyOf({ domain, found }: Pick<Published, 'domain' | 'found'>, expected: ExpectedHealth): object {
  const items = expected.items ?? [];
  return {
    domain,
    overall_score: 0,
    grade: 'N/A',
    verdict: 'No DMARC reports have arrived for this domain yet.',
    last_report_date: null,
    total_messages: 0,
    dns: dnsOf(domain, found, expected.offers ?? {}),
    compliance: { rate: 0, spf_pass: 0, dkim_pass: 0, policy: 'none' },
    top_senders: [],
    alert_count: items.length,
    action_items: items,
    trend_sparkline: [],
    aprf_placement: [],
    computed_at: '2026-03-10T12:00:00Z',
    ...expected.fields,
  };
}

function dnsOf(domain: string, found: readonly string[], offers: NonNullable<ExpectedHealth['offers']>) {
  return Object.fromEntries(
    found.map((text, place) => {
      const [, status, details, parent] = /^(\w+): (.*?)(?: \(from (.*)\))?$/.exec(text)!;
      const field = FIELDS[place]!;
      const offer = offers[field];
      const cta = { label: `${offer} hosted ${NAMES[place]}`, url: `/domains/${domain}/hosted/${field}` };
      return [field, { status, details, ...(parent && { inherited_from: parent }), ...(offer && { hosted_cta: cta }) }];
    }),
  );
}

/** 30 days ending with this one, zero unless given: rate and messages. */
export function sparkline(last: string, days: { [day: string]: [rate: number, messages: number] }): object[] {
  return Array.from({ length: 30 }, (_, i) => {
    const date = new Date(Date.parse(last) - (29 - i) * 86_400_000).toISOString().slice(0, 10);
    const [rate, messages] = days[date] ?? [0, 0];
    return { date, compliance_rate: rate, total_messages: messages };
  });
}

/** A gap in the DNS of a domain. */
export function gap(domain: string, protocol: string, severity: string, title: string, action: string, label: string) {
  const url = `/domains/${domain}/hosted/${protocol}`;
  return { type: `dns_${protocol}`, severity, title, suggested_action: action, cta_label: label, cta_url: url };
}

export const noDmarc = (domain: string) =>
  gap(
    domain,
    'dmarc',
    'high',
    'DMARC record is missing or broken',
    `Publish one valid DMARC record at _dmarc.${domain}.`,
    'Set up DMARC',
  );
export const noSpf = (domain: string) =>
  gap(
    domain,
    'spf',
    'high',
    'SPF record is missing or broken',
    'Publish one valid SPF record with at most 10 lookups.',
    'Set up SPF',
  );
export const noDkim = (domain: string) =>
  gap(domain, 'dkim', 'high', 'DKIM keys are missing', 'Publish the keys your senders sign with.', 'Set up DKIM');
