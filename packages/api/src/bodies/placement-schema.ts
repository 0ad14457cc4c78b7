import { z } from 'zod';
import { day, text } from './fields.ts';

const Measure = z.object({
  category: text('As the provider named it.'),
  value: z.int().describe('Number of messages; an upper bound.'),
});

/** One row of a placement report. */
export const Placement = z
  .object({
    day: day('Of the report.').nullable(),
    source: text('Name of the mailbox provider.'),
    dkim_domain: text('`d=`; `*.` before it: subdomains rolled up.'),
    dkim_selector: text('`s=`; `*`: all selectors rolled up.'),
    version: text('Of the report; counts must not be compared across versions.'),
    sdi_used: text('`N/A` not used, `N/F` none found, empty when not reported.'),
    extra_info: text('Notes of the provider; empty without any.'),
    segment: z.array(z.string()).nullable().describe('Values in order; empty when not segmented.'),
    classification: z
      .array(Measure)
      .nullable()
      .describe('Where the provider put the messages; null when not reported.'),
    engagement: z.array(Measure).nullable().describe('What recipients did with them; null when not reported.'),
  })
  .meta({ id: 'AprfPlacement' });
