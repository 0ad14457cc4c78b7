import { blocklistSeverities, codesOf, reputationStatuses, sourceClasses } from '@dmarc-ledger/vocabulary';
import { z } from 'zod';
import { count, instant, text } from './fields.ts';
import { serviceFields, sourceFigures } from './source-figures.ts';
import { TrendPoint } from './trend-point.ts';

const outcome = z.enum(['pass', 'fail']);
const score = z.int().min(0).max(100);

const SourceRecord = z
  .object({
    report_id: text("The reporter's own identifier.").nullable(),
    domain: text('The domain that the report is about.'),
    count: count('Messages.'),
    disposition: z.enum(['none', 'quarantine', 'reject']),
    dkim_result: outcome.describe('Whether DKIM gave an aligned pass.'),
    spf_result: outcome.describe('Whether SPF gave an aligned pass.'),
    header_from: text('From domain.'),
    org_name: text('Who sent the report.').nullable(),
    date_begin: instant('Begin of the reporting window.').nullable(),
    date_end: instant('End of the reporting window.').nullable(),
  })
  .meta({ id: 'SourceRecord' });

const Geo = z.object({
  country: z.string(),
  city: z.string().nullable(),
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
});

const BlocklistResult = z
  .object({
    name: text('The list.'),
    listed: z.boolean(),
    status: z.enum(['listed', 'clean', 'error']).optional(),
    reason: z.string().optional(),
    category: z.string().optional(),
    details: z.string().optional(),
    tier: z.int().min(0).max(4).optional().describe('How much a listing weighs, 4 most.'),
    delist_url: z.string().optional(),
  })
  .meta({ id: 'BlocklistResult' });

const Enrichment = z
  .object({
    ip: z.string(),
    country: z.string().optional(),
    city: z.string().optional(),
    latitude: z.number().optional(),
    longitude: z.number().optional(),
    isp: z.string().optional(),
    usage_type: z.string().optional(),
    country_code: z.string().optional(),
    abuse_score: z.int().max(100).describe('Negative when never scored.'),
    abuse_reports: count('Reports of abuse.'),
    abuse_categories: z.array(z.string()).nullable().optional(),
    abuse_status: z.enum(codesOf(reputationStatuses)),
    sender_name: z.string().optional(),
    sender_slug: z.string().optional(),
    sender_icon: z.string().optional(),
    hostname: z.string().optional(),
    blocklist_listed: count('Lists that carry it; read `blocklist_verdict` instead.'),
    blocklist_total: count('Lists consulted; read `blocklist_verdict` instead.'),
    blocklist_results: z.array(BlocklistResult).nullable().optional(),
    abuse_last_reported: instant('Last report of abuse.').nullable().optional(),
    enriched_at: instant('First looked up.').nullable(),
    updated_at: instant('Last looked up.').nullable(),
  })
  .meta({ id: 'Enrichment' });

const BlocklistVerdict = z
  .object({
    severity: z.enum(blocklistSeverities),
    listed: count('Lists that answered and carry it.'),
    clean: count('Lists that answered and do not.'),
    errored: count('Lists that failed or refused.'),
    checked: count('Lists that answered.'),
    total: count('Lists consulted.'),
    score: score.describe('Weighted; 0 is best.'),
    names: z.array(z.string()).nullable().optional().describe('Lists that carry it, most consequential first.'),
    top_list: z.string().optional(),
    top_reason: z.string().optional(),
    top_tier: z.int().optional(),
    top_errored: z.string().optional(),
    has_malware_c2: z.boolean(),
    urgency: z.enum(['none', 'monitor', 'soon', 'now']),
    summary: text('Ready to show.'),
    scope: z.string().optional().describe('`ingest` when only the lists checked at report arrival were consulted.'),
  })
  .meta({ id: 'BlocklistVerdict' });

const SpamSignal = z.object({
  name: z.string(),
  score: z.number().describe('Positive counts against the sender.'),
  description: z.string().optional(),
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
    geo: Geo.nullable().optional(),
    enrichment: Enrichment.nullable().optional().describe('Absent until looked up.'),
    blocklist_verdict: BlocklistVerdict,
    spam_signals: z.array(SpamSignal).nullable().optional(),
    classification: z.enum(sourceClasses).describe('What it is taken for.'),
    classification_description: text('Why; absent for an authenticated source.').optional(),
  })
  .meta({ id: 'Source' });
