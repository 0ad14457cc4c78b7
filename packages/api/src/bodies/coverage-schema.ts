import { reporterStates } from '@dmarc-ledger/scoring';
import { z } from 'zod';
import { ConfidenceField } from './confidence-schema.ts';
import { count, day, percentage, text } from './fields.ts';

const doubt = {
  unauthenticated_messages: count('Messages of reports whose mail did not pass as the reporter.'),
  conflicting_messages: count('Messages of reports of which copies disagree.'),
  doubtful_messages: count('Messages of either kind of report.'),
  doubtful_rate: percentage('Their share of the messages.'),
  dropped_records: count('Records that could not be counted; at most so many.'),
  unseen_messages: count('An estimate of the messages that absent reporters and dropped records would have had.'),
};

const CoveredDay = z
  .object({
    day: day('The day.'),
    state: z
      .enum(['reported', 'missing', 'quiet', 'not_due'])
      .describe(
        '`missing`: no report, though some were expected; `quiet`: none, as on other such days; `not_due`: reports ' +
          'may still arrive.',
      ),
    reports: count('Reports about the day.'),
    messages: count('Their messages.'),
    reporters: count('Reporters of the day.'),
    expected_reporters: count('Expected reporters; 0 for a day that is not due.'),
    absent_reporters: count('Expected reporters without a report.'),
    ...doubt,
  })
  .meta({ id: 'CoveredDay' });

const Reporter = z
  .object({
    name: text('Name as it reports; empty where it has none.'),
    state: z
      .enum(reporterStates)
      .describe(
        '`absent`: it was expected on the last day that is due; `silent`: for longer than chance explains; ' +
          '`irregular`: too little is known of it to notice its absence.',
      ),
    reports: count('Its reports in the window.'),
    messages: count('Their messages.'),
    message_rate: percentage('Their share of all messages.'),
    report_days: count('Days with a report of it.'),
    expected_days: count('Days on which it was expected.'),
    absent_days: count('Expected days without a report of it.'),
    last_day: day('The last day that it has reported about.'),
  })
  .meta({ id: 'CoveringReporter' });

const SilentReporter = z
  .object({
    name: text('Name as it reported.'),
    last_day: day('The last day that it has reported about.'),
    silent_days: count('Days since on which others reported.'),
    chance: z.number().min(0).max(1).describe('Chance of such a silence if nothing has changed.'),
    usual_messages: count('Messages that it used to bring on a day.'),
    usual_rate: percentage('Their share of those of all reporters.'),
    is_large: z.boolean().describe('Whether its absence alone makes the confidence low.'),
    text: text('The same in a sentence; ready to show.'),
  })
  .meta({ id: 'SilentReporter' });

export const CoverageAnswer = z.object({
  domain: text('The domain.'),
  days: z.union([z.literal(30), z.literal(60), z.literal(90)]).describe('Window applied.'),
  from: day('First day of the window, by the day that reports count on.'),
  to: day('Last day of the window: today.'),
  messages: count('Messages of the window.'),
  compliance_rate: percentage('Share of messages that passed DMARC.'),
  confidence: ConfidenceField.describe('The confidence in that rate.'),
  missing_days: count('Days without a report, though some were expected.'),
  quiet_days: count('Days without a report on which none was expected.'),
  ...doubt,
  unproven_messages: count('Messages of reports that were imported without what the reporter sent.'),
  findings: z.array(z.string()).describe('What stands out, in sentences; ready to show.'),
  silent_reporters: z
    .array(SilentReporter)
    .describe('Reporters that fell silent while others report, largest first; at most 200.'),
  silent_reporters_total: count('All of them.'),
  by_day: z.array(CoveredDay).describe('Every day of the window, oldest first.'),
  reporters: z.array(Reporter).describe('The first 200 reporters, most messages first.'),
  reporters_total: count('Reporters that were judged; at most 1,000.'),
});

export type CoverageBody = z.input<typeof CoverageAnswer>;
