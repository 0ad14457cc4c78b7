import { codesOf, dmarcPolicies, grades } from '@dmarc-ledger/vocabulary';
import { z } from 'zod';
import { count, day, instant, percentage, text } from '../bodies/fields.ts';
import { Placement } from '../bodies/placement-schema.ts';
import { serviceFields } from './source-figures.ts';

const outcome = (mechanism: string) =>
  z.enum(['pass', 'fail']).describe(`\`pass\` when more than half of the messages had an aligned ${mechanism} pass.`);
const statusOf = z
  .enum(['ok', 'warning', 'error', 'unknown'])
  .describe('`warning` does not do its job, `error` missing or malformed, `unknown` nothing could be determined.');

const ProtocolStatus = z
  .object({
    status: statusOf,
    details: text('A sentence, ready to show.'),
    inherited_from: text('Parent domain where the record was found.').optional(),
    hosted_cta: z
      .object({ label: text('Words of the button.'), url: text('Path of a page.') })
      .nullable()
      .optional()
      .describe('Offer to host the record; present when it is missing or failing.'),
  })
  .meta({ id: 'ProtocolStatus', description: 'What the domain publishes for one protocol.' });

const AprfStatus = z
  .object({
    status: z
      .enum(['ok', 'warning', 'unknown'])
      .describe('`ok` exactly one record; `warning` more than one; `unknown` none found.'),
    details: text('A sentence, ready to show.'),
  })
  .describe('What the domain publishes for placement reports; never `error`.');

const ActionItem = z
  .object({
    type: text('`dns_` and a protocol for a gap in the DNS, else the type of an event.').optional(),
    severity: z.enum(['high', 'medium', 'low']).describe('How urgent it is.'),
    title: text('What is wrong; ready to show.'),
    suggested_action: text('What to do, in one sentence; ready to show.'),
    cta_url: text('Path of the page where it is resolved.').optional(),
    cta_label: text('Words of the button.').optional(),
  })
  .meta({ id: 'ActionItem' });

export const DomainHealthAnswer = z
  .object({
    domain: text('Name, as A-labels.'),
    overall_score: z.int().min(0).max(100).describe('0 to 100: the score without its decimals.'),
    grade: z.enum(codesOf(grades)).describe('Grade of the score; `N/A` before the first report.'),
    verdict: text('The state of the domain in one sentence; ready to show.'),
    last_report_date: day('Newest report day; null before the first report.').nullable(),
    total_messages: count('Messages in the scoring window.'),
    dns: z
      .object({
        dmarc: ProtocolStatus,
        spf: ProtocolStatus,
        dkim: ProtocolStatus,
        mta_sts: ProtocolStatus,
        tls_rpt: ProtocolStatus,
        bimi: ProtocolStatus,
        dane: ProtocolStatus,
        aprf: AprfStatus,
      })
      .describe('What the domain publishes, by protocol.'),
    compliance: z
      .object({
        rate: percentage('Share of messages that passed DMARC.'),
        spf_pass: percentage('Share with aligned SPF.'),
        dkim_pass: percentage('Share with aligned DKIM.'),
        policy: z.enum(codesOf(dmarcPolicies)).describe('Policy that applies; `none` also when none could be read.'),
      })
      .describe('Rates in the scoring window, and the policy.'),
    top_senders: z
      .array(
        z.object({
          ip: text('Address.'),
          count: count('Messages.'),
          spf_result: outcome('SPF'),
          dkim_result: outcome('DKIM'),
          ...serviceFields,
        }),
      )
      .describe('The five with most messages in the scoring window, busiest first.'),
    alert_count: count('Open attention items.'),
    action_items: z.array(ActionItem).nullable().describe('Most urgent first; the first five.'),
    trend_sparkline: z
      .array(
        z.object({
          date: day('Calendar day.').nullable(),
          compliance_rate: percentage('Share of messages that passed DMARC.'),
          total_messages: count('Messages.'),
        }),
      )
      .describe('Oldest first.'),
    aprf_placement: z
      .array(Placement)
      .describe(
        'Of each provider the newest report of the last seven UTC days. Counts are upper bounds; rows must not be ' +
          'added.',
      ),
    empty_state: z
      .object({
        healthy: z.boolean().describe('True only when nothing is wrong.'),
        message: text('A sentence, ready to show.'),
        cta_url: text('Where to go.').optional(),
        cta_label: text('Words of the button.').optional(),
      })
      .nullable()
      .optional()
      .describe('Present only when there are no action items.'),
    computed_at: instant('When this was computed.').nullable(),
  })
  .meta({ id: 'DomainHealth' });
