import { enforcementSteps, pathStages, readinessTopics } from '@dmarc-ledger/enforcement';
import { codesOf, dmarcPolicies, senderDecisions } from '@dmarc-ledger/vocabulary';
import { z } from 'zod';
import { ConfidenceField } from './confidence-schema.ts';
import { count, day, text } from './fields.ts';

const policy = (description: string) => z.enum(codesOf(dmarcPolicies)).nullable().describe(description);
const mode = (mechanism: string) =>
  z.enum(['r', 's']).nullable().describe(`How exactly the ${mechanism} domain must match; null without a record.`);

const Sender = z
  .object({
    id: text('Key of the sender within its domain: the slug of a service, or a network.'),
    slug: text('Slug of the recognised service; null for a network of addresses of none.').nullable(),
    name: text('Name of the service, or the network.'),
    addresses: count('Its addresses with affected mail.'),
    messages: count('Its newly affected messages.'),
    decision: z.enum(senderDecisions).nullable().describe('What was decided about it; null while it is undecided.'),
    is_blocker: z.boolean().describe('Whether the step would harm, or may harm, mail that is yours.'),
    fix: text('What to do: which record, and which setting; ready to show.'),
  })
  .meta({ id: 'AffectedSender' });

const RefusedSender = Sender.omit({ is_blocker: true })
  .extend({
    addresses: count('Its addresses with rejected mail.'),
    messages: count('Its messages that receivers rejected in the window.'),
  })
  .meta({ id: 'RefusedSender' });

const Step = z
  .object({
    step: z.enum(enforcementSteps).describe('The change of the record.'),
    messages: count('Messages of the window that the policy of the step applies to.'),
    failing_messages: count('Messages among them with neither aligned DKIM nor aligned SPF.'),
    newly_affected_messages: count(
      'Failing messages that receivers treated more mildly; for `strict`, messages that pass now and would fail.',
    ),
    by_decision: z
      .object({
        ours: count('Of own senders.'),
        forwarded: count('Of forwarders.'),
        not_ours: count('Of senders that are not ours.'),
        undecided: count('Of undecided senders.'),
      })
      .describe('The newly affected messages by decision about their sender.'),
    senders_total: count('Senders with newly affected messages.'),
    senders: z.array(Sender).describe('The first 1,000 of them, most messages first.'),
  })
  .meta({ id: 'EnforcementStep' });

const Stage = z
  .object({
    stage: z.enum(pathStages).describe('Weakest first.'),
    title: text('Ready to show.'),
    is_current: z.boolean().describe('Whether the domain stands here.'),
    tags: text('The tags of the record that the stage sets; null before one is published.').nullable(),
    record: text('The record to publish; null before one is published. See `is_record_read`.').nullable(),
    watch: text('What to look at before the next stage; ready to show.'),
    back: text('How to undo it; ready to show.'),
  })
  .meta({ id: 'EnforcementStage' });

const Permission = z
  .object({
    host: text('The host of the report address, in whose zone the record belongs.'),
    name: text('The name of the record.'),
    type: z.literal('TXT').describe('Its type.'),
    value: text('Its value.'),
  })
  .meta({ id: 'ReportPermission' });

const Readiness = z
  .object({
    topic: z.enum(readinessTopics).describe('What RFC 9989 changed.'),
    state: z.enum(['ok', 'change', 'unknown']).describe('`unknown`: the stored checks do not show it.'),
    text: text('What is found, and what to change; ready to show.'),
  })
  .meta({ id: 'Rfc9989Readiness' });

export const EnforcementAnswer = z.object({
  domain: text('The domain.'),
  days: z.union([z.literal(30), z.literal(60), z.literal(90)]).describe('Window applied.'),
  from: day('First day of the window, by the day that reports count on.'),
  to: day('Last day of the window: today.'),
  policy: z
    .object({
      p: policy('Policy that applies to the domain; null where none is known.'),
      sp: policy('For its subdomains; null where it is not published.'),
      np: policy('For names below it that do not exist; null where it is not published.'),
      adkim: mode('DKIM'),
      aspf: mode('SPF'),
    })
    .describe('What is published, by a check of the DNS of the last week, or by the newest report.'),
  verdict: text('About the next step: `ready`, `ready after N fixes`, `not enough data`, or `no valid record`.'),
  verdict_text: text('The verdict and its reason; ready to show.'),
  confidence: ConfidenceField.describe('How much of the mail of the window the verdict rests on.'),
  next_step: z.enum(enforcementSteps).nullable().describe('The step that the verdict is about; null at the end.'),
  steps: z.array(Step).describe('What each step would have done in the window.'),
  refused: z
    .object({
      messages: count('Messages of these senders that receivers rejected in the window.'),
      senders_total: count('Own senders with rejected mail.'),
      senders: z.array(RefusedSender).describe('The first 1,000 of them, most messages first.'),
    })
    .describe('What the policy of today already does to mail that is yours: decided so, or with mail that passes.'),
  is_record_read: z
    .boolean()
    .describe(
      'Whether a check of the last week has read the record, or found none. If not, the records of the path lack what ' +
        'reports do not show, such as its `rua`: change the `tags` in the record that stands.',
    ),
  path: z.array(Stage).describe('The way to reject, stage by stage.'),
  permissions: z
    .array(Permission)
    .describe(
      'Records that hosts of other organizations need beside those of the path, without which reporters send nothing ' +
        'to the addresses there; none where the newest check found that they stand.',
    ),
  readiness: z.array(Readiness).describe('What RFC 9989 changes for this record.'),
});

export type EnforcementBody = z.input<typeof EnforcementAnswer>;
