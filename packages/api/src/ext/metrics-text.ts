import { Gauge, Registry } from 'prom-client';
import type { OverviewBody } from '../bodies/overview-schema.ts';

/** The most domains with series of their own. A database of metrics keeps every series for months. */
export const MOST_DOMAINS = 1_000;

type Card = OverviewBody['domain_cards'][number];

const ofOrganization: [name: string, help: string, read: (overview: OverviewBody) => number][] = [
  ['dmarc_score', 'Score of the organization, 0 to 100.', ({ org_health }) => org_health.overall_score],
  ['dmarc_messages', 'Messages in the scoring windows.', ({ org_health }) => org_health.total_messages],
  [
    'dmarc_compliance_ratio',
    'Share that passed DMARC, 0 to 1.',
    ({ org_health }) => shareOf(org_health.compliance_rate),
  ],
  [
    'dmarc_forwarded_messages',
    'Failing messages judged forwarding.',
    ({ org_health }) => org_health.forwarded_messages,
  ],
  ['dmarc_sources', 'Distinct sending addresses.', ({ org_health }) => org_health.unique_source_ips],
  ['dmarc_domains', 'Domains that the reports cover.', ({ org_health }) => org_health.total_domains],
  ['dmarc_domains_needing_attention', 'Of these, the ones with something to do.', needingAttention],
];

const ofDomain: [name: string, help: string, read: (card: Card) => number][] = [
  ['dmarc_domain_score', 'Score of the domain, 0 to 100.', ({ score }) => score],
  ['dmarc_domain_messages', 'Messages in the scoring window.', ({ total_messages }) => total_messages],
  ['dmarc_domain_compliance_ratio', 'Share that passed DMARC, 0 to 1.', (card) => shareOf(card.compliance_rate)],
  ['dmarc_domain_forwarded_messages', 'Failing messages judged forwarding.', (card) => card.forwarded_messages],
  ['dmarc_domain_open_items', 'Open action items.', ({ action_count }) => action_count],
];

/**
 * Writes an overview in the text format of Prometheus.
 *
 * @param newestDay the newest report day up to today, in seconds since 1970; undefined before the first
 */
export async function metricsText(overview: OverviewBody, newestDay: number | undefined): Promise<string> {
  const registers = [new Registry()];
  const gauge = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Gauge({ name, help, labelNames, registers });

  for (const [name, help, read] of ofOrganization) gauge(name, help).set(read(overview));
  const items = gauge('dmarc_open_items', 'Open action items by severity.', 'severity');
  for (const severity of ['high', 'medium', 'low'] as const)
    items.set({ severity }, overview.action_items_summary[severity]);
  const newest = 'dmarc_newest_report_day_timestamp_seconds';
  if (newestDay !== undefined) gauge(newest, 'The newest report day up to today, as it begins.').set(newestDay);

  const cards = busiest(overview.domain_cards);
  const omitted = overview.domain_cards.length - cards.length;
  gauge('dmarc_domains_omitted', 'Domains without series of their own.').set(omitted);
  for (const [name, help, read] of ofDomain) {
    const each = gauge(name, help, 'domain');
    for (const card of cards) each.set({ domain: card.domain }, read(card));
  }
  const policy = gauge('dmarc_domain_policy', 'The policy that applies to the domain: always 1.', 'domain', 'policy');
  for (const card of cards) policy.set({ domain: card.domain, policy: card.policy || 'unknown' }, 1);
  return await registers[0]!.metrics();
}

function busiest(cards: readonly Card[]): Card[] {
  return cards.toSorted((a, b) => b.total_messages - a.total_messages).slice(0, MOST_DOMAINS);
}

/** Of a percentage with two decimals, without the error of a division. */
function shareOf(percentage: number): number {
  return Math.round(percentage * 100) / 10_000;
}

function needingAttention({ org_health }: OverviewBody): number {
  return org_health.domains_needing_attention;
}
