import {
  blocklistSeverities,
  codesOf,
  reputationStatuses,
  sourceClasses,
  dmarcPolicies,
} from '@dmarc-ledger/vocabulary';
import { z } from 'zod';
import { count, identifier, instant, text } from '../bodies/fields.ts';
import { serviceFields, sourceFigures } from './source-figures.ts';
import { TrendPoint } from './trend-point.ts';

const outcome = z.enum(['pass', 'fail']);
const score = z.int().min(0).max(100);

const SourceRecord = z
  .object({
    id: identifier('What the report is fetched by.'),
    report_id: text("The reporter's own identifier.").nullable(),
    domain: text('The domain that the report is about.'),
    count: count('Messages.'),
    disposition: z.enum(codesOf(dmarcPolicies)).describe('What the receiver did with most of them.'),
    dkim_result: outcome.describe('Whether DKIM gave an aligned pass.'),
    spf_result: outcome.describe('Whether SPF gave an aligned pass.'),
    header_from: text('From domain.'),
    org_name: text('Who sent the report.').nullable(),
    date_begin: instant('Begin of the reporting window.').nullable(),
    date_end: instant('End of the reporting window.').nullable(),
  })
  .meta({ id: 'SourceRecord' });

const Geo = z.object({
  country: text('Name of the country.'),
  city: text('Name of the city; null when only the country is known.').nullable(),
  latitude: z.number().nullable().describe('Degrees; null when not known.'),
  longitude: z.number().nullable().describe('Degrees; null when not known.'),
});

const BlocklistResult = z
  .object({
    name: text('The list.'),
    listed: z.boolean().describe('The list carries the address, by its last answer.'),
    status: z.enum(['listed', 'clean', 'error']).optional().describe('`error`: the list failed or refused.'),
    reason: text(
      'Why it carries the address, or why it failed; for a listing, since when it is not confirmed.',
    ).optional(),
    category: text('What the list is about.').optional(),
    details: text('What the list itself says.').optional(),
    tier: z.int().min(0).max(4).optional().describe('How much a listing weighs, 4 most.'),
    delist_url: text('Where removal is asked for; only when it carries the address and publishes one.').optional(),
  })
  .meta({ id: 'BlocklistResult' });

const Enrichment = z
  .object({
    ip: text('The address, in its canonical spelling.'),
    country: text('Name of the country; absent when not known.').optional(),
    city: text('Name of the city; absent when not known.').optional(),
    latitude: z.number().optional().describe('Degrees; absent when not known.'),
    longitude: z.number().optional().describe('Degrees; absent when not known.'),
    isp: text('Access provider; absent when not known.').optional(),
    usage_type: text('What the network is used for; absent when not known.').optional(),
    country_code: text('Two letters; absent when not known.').optional(),
    abuse_score: z.int().max(100).describe('Negative when never scored.'),
    abuse_reports: count('Reports of abuse.'),
    abuse_categories: z.array(z.string()).nullable().optional().describe('Kinds of abuse that were reported.'),
    abuse_status: z.enum(codesOf(reputationStatuses)).describe('`unknown` when it was never scored.'),
    sender_name: text('Recognised sending service; absent when none is.').optional(),
    sender_slug: text('Slug of the service.').optional(),
    sender_icon: text('Icon slug of the service.').optional(),
    hostname: text('Reverse DNS name that resolves back to the address.').optional(),
    blocklist_listed: count('Lists that carry it; read `blocklist_verdict` instead.'),
    blocklist_total: count('Lists consulted; read `blocklist_verdict` instead.'),
    blocklist_results: z.array(BlocklistResult).nullable().optional().describe('One for each list consulted.'),
    abuse_last_reported: instant('Last report of abuse.').nullable().optional(),
    enriched_at: instant('First looked up.').nullable(),
    updated_at: instant('Last looked up.').nullable(),
  })
  .meta({ id: 'Enrichment' });

const BlocklistVerdict = z
  .object({
    severity: z.enum(blocklistSeverities).describe('How much of a problem the lists make of it; from best to worst.'),
    listed: count('Lists that carry it, by their last answer.'),
    clean: count('Lists that answered and do not.'),
    errored: count('Lists that failed or refused.'),
    checked: count('Lists whose answer counts: `listed` and `clean`.'),
    total: count('Lists consulted.'),
    score: score.describe('Weighted; 0 is best.'),
    names: z.array(z.string()).nullable().optional().describe('Lists that carry it, most consequential first.'),
    top_list: text('The most consequential list that carries it; absent when none does.').optional(),
    top_reason: text('What that list says; absent when it says nothing.').optional(),
    top_tier: z.int().min(0).max(4).optional().describe('Tier of that list.'),
    top_errored: text('The most consequential list that failed or refused; absent when none did.').optional(),
    has_malware_c2: z.boolean().describe('A list carries it as malware infrastructure.'),
    urgency: z.enum(['none', 'monitor', 'soon', 'now']).describe('When to act.'),
    summary: text('Ready to show.'),
    scope: z.string().optional().describe('`ingest` when only the lists checked at report arrival were consulted.'),
  })
  .meta({ id: 'BlocklistVerdict', description: 'What all blocklists together come to.' });

const SpamSignal = z.object({
  name: text('Code of the signal.'),
  score: z.number().describe('Positive counts against the sender.'),
  description: text('The signal in words.').optional(),
});

export const Source = z
  .object({
    ...sourceFigures,
    domains: z.array(z.string()).describe('Domains that it sends as.'),
    records: z.array(SourceRecord).describe('What the newest reports say of it, one row for each.'),
    records_total: count('All such rows; more than are shown.'),
    timeline: z.array(TrendPoint).describe('Days with data, oldest first.'),
    ...serviceFields,
    hostname: text('Reverse DNS name.').optional(),
    geo: Geo.nullable().optional().describe('Where the address is; absent when it cannot be placed.'),
    enrichment: Enrichment.nullable().optional().describe('Absent until looked up.'),
    blocklist_verdict: BlocklistVerdict,
    spam_signals: z.array(SpamSignal).nullable().optional().describe('Worst first; absent until looked up.'),
    classification: z.enum(sourceClasses).describe('What it is taken for.'),
    classification_description: text('Why; absent for an authenticated source.').optional(),
  })
  .meta({ id: 'Source' });
