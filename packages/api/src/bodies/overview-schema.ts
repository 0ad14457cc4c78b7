import { codesOf, dmarcPolicies, grades, healthStates } from '@dmarc-ledger/vocabulary';
import { z } from 'zod';
import { count, percentage, text } from './fields.ts';

const grade = z.enum(codesOf(grades)).describe('Grade of the score.');
const score = z.int().min(0).max(100).describe('0 to 100.');
const verdict = z.string().describe('A sentence, ready to show; its wording is not a value to branch on.');

const OrgHealth = z
  .object({
    overall_score: score,
    grade,
    verdict,
    health_state: z
      .enum(codesOf(healthStates))
      .describe('`nodata` before the first report that is not dated after today.'),
    compliance_rate: percentage('Share of messages that passed DMARC.'),
    total_messages: count('Messages across all domains, in their scoring windows.'),
    total_domains: count('Domains that the reports cover.'),
    domains_needing_attention: count('Domains that score below 80 or have an open action item.'),
    unique_source_ips: count('Distinct sending addresses in the scoring windows.'),
    has_data: z.boolean().describe('False until the first report arrives; scores mean nothing while it is.'),
    forwarded_messages: count('Failing messages that were judged ordinary forwarding; they stay failures.'),
  })
  .meta({ id: 'OrgHealth', description: 'The organization as a whole.' });

const DomainCard = z
  .object({
    domain: text('Name, as A-labels.'),
    score,
    grade,
    verdict,
    compliance_rate: percentage('Share of messages that passed DMARC.'),
    total_messages: count('Messages in the scoring window.'),
    policy: z.enum([...codesOf(dmarcPolicies), '']).describe('Policy that applies; empty when none could be read.'),
    top_issue: z.string().describe('Title of the most urgent open action item; empty when there is none.'),
    top_issue_severity: z.enum(['high', 'medium', 'low', '']).describe('Its severity; empty when there is none.'),
    action_count: count('Open action items.'),
    inherited: z.literal(true).optional().describe('The policy is that of the organizational parent.'),
    inherited_from: text('The parent whose policy it is.').optional(),
    forwarded_messages: count('Failing messages that were judged ordinary forwarding.'),
  })
  .meta({ id: 'DomainCard' });

const ActionItemsSummary = z
  .object({
    total_pending: count('Open action items of all domains and of the organization.'),
    high: count('Of those, the urgent ones.'),
    medium: count('Of those, the ones to do soon.'),
    low: count('Of those, the ones that can wait.'),
  })
  .meta({
    id: 'ActionItemsSummary',
    description: 'Open items by severity, those of the organization itself included.',
  });

export const OverviewAnswer = z.object({
  org_health: OrgHealth,
  domain_cards: z.array(DomainCard).describe('One for each domain that has reports, worst score first.'),
  action_items_summary: ActionItemsSummary,
});

export type OverviewBody = z.input<typeof OverviewAnswer>;
