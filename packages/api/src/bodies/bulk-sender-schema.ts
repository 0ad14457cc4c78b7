import { bulkProviders, bulkRequirements, bulkStates } from '@dmarc-ledger/scoring';
import { z } from 'zod';
import { count, day, text } from './fields.ts';

const provider = z.enum(bulkProviders);

const Provider = z
  .object({
    id: provider.describe('The provider.'),
    name: text('Its name.'),
    applies: text('To whom its rules apply; ready to show.'),
    page: text('The name of its public page.'),
    threshold: count('Messages a day from which on the rules apply; null where no number is published.').nullable(),
    busiest_day: day(
      'The day of the window on which it reported most messages; null without a report of it.',
    ).nullable(),
    busiest_messages: count('The messages of that day; null without a report of it.').nullable(),
    is_bulk: z
      .boolean()
      .nullable()
      .describe(
        'Whether that day reaches the threshold; null where that cannot be said. Subdomains with reports of their ' +
          'own are not counted.',
      ),
  })
  .meta({ id: 'BulkProvider' });

const Requirement = z
  .object({
    requirement: z.enum(bulkRequirements).describe('What is asked for.'),
    title: text('The same in words; ready to show.'),
    state: z
      .enum(bulkStates)
      .describe('`unknown`: too little is known yet; `cannot_be_seen`: neither reports nor the DNS show it.'),
    evidence: text('What the state rests on, with figures; ready to show.'),
    change: text('What to change, or what is advised; null where there is nothing.').nullable(),
    sources: z
      .array(
        z.object({
          provider: provider.describe('Who asks for it.'),
          page: text('The name of the public page.'),
          since: text('Since which month, `YYYY-MM`.'),
        }),
      )
      .describe('Who asks for it.'),
  })
  .meta({ id: 'BulkRequirement' });

export const BulkSenderAnswer = z.object({
  domain: text('The domain.'),
  days: count('Days of the window.'),
  from: day('First day of the window.'),
  to: day('Last day of the window: today.'),
  summary: text('How the domain stands; ready to show.'),
  own_messages: count('Messages of own senders that were not forwarded: what the rules are judged by.'),
  states: z
    .object({
      met: count('Requirements that are met.'),
      not_met: count('Requirements that are not met.'),
      unknown: count('Requirements about which too little is known.'),
      cannot_be_seen: count('Requirements that neither reports nor the DNS show.'),
    })
    .describe('The number of requirements in each state.'),
  requirements: z.array(Requirement).describe('Every requirement, in the same order for each domain.'),
  providers: z.array(Provider).describe('The providers with such rules.'),
});

export type BulkSenderBody = z.input<typeof BulkSenderAnswer>;
