import { z } from 'zod';
import { senderDecisions } from '@dmarc-ledger/vocabulary';
import { spfTermNames, spfTermStates } from '@dmarc-ledger/dns-records';
import { count, day, instant, text } from './fields.ts';

const Term = z
  .object({
    id: count('Place of the term in the tree.'),
    parent: count('The term whose record has this one; null in the record of the domain.').nullable(),
    depth: count('How many records lie between; 0 in the record of the domain.'),
    term: text('As published.'),
    mechanism: z.enum(spfTermNames).describe('Its kind.'),
    qualifier: z.enum(['+', '-', '~', '?']).describe('What a match comes to.'),
    state: z
      .enum(spfTermStates)
      .describe(
        '`plain`: needs no lookup; `void`: the lookup found nothing; `depends`: on the message, so it is not looked ' +
          'up; `broken`: no SPF record there, several, or one with an error; `ignored`: after `all`, or a `redirect` ' +
          'beside it; `unread`: beyond what is followed.',
      ),
    target: text('The name that is looked up.').nullable(),
    record: text('The record found there, for `include` and `redirect`.').nullable(),
    lookups: count('DNS lookups of the term and all below it.'),
    void_lookups: count('Lookups among them that find nothing.'),
    networks: z.array(z.string()).describe('The first 50 networks that it matches itself.'),
    networks_total: count('All of them.'),
    addresses: count('Addresses that send as the domain and that it authorises, itself or by a term below it.'),
    messages: count('Their messages in the window.'),
    needed: z
      .enum(['yes', 'no', 'unknown'])
      .describe('Whether mail of the window needed it. `unknown`: there is too little mail, or it cannot be seen.'),
  })
  .meta({ id: 'SpfTerm' });

const Absent = z
  .object({
    address: text('IP address.'),
    sender: text('Key of its sender within the domain.'),
    slug: text('Slug of the recognised service; null for a network.').nullable(),
    name: text('Name of the service, or the network.'),
    decision: z.enum(senderDecisions).nullable().describe('What was decided about the sender.'),
    messages: count('Messages in the window.'),
    spf_pass: count('Messages with an aligned SPF pass: the record of another name authorises the address.'),
    dkim_pass: count('Messages with an aligned DKIM pass.'),
    return_path: text(
      'Name of the envelope sender, where the mail of a sender of yours has one at another name than this domain, ' +
        'such as a subdomain: receivers look for the SPF record at exactly that name, so no term of this one would ' +
        'help. Null otherwise, and where it is not known.',
    ).nullable(),
  })
  .meta({ id: 'SpfAbsentAddress' });

export const SpfAnswer = z.object({
  domain: text('The domain.'),
  checked_at: instant('When the record was read; null before the first check.').nullable(),
  status: z.enum(['ok', 'warning', 'error', 'unknown']).describe('Finding of a check of the last week.'),
  details: text('The finding; ready to show.'),
  record: text('The record of the domain; null without exactly one.').nullable(),
  is_complete: z
    .boolean()
    .describe('False where a name did not answer, the tree is larger than what is kept, or it was read a week ago.'),
  lookups: count('DNS lookups of the whole tree; receivers accept 10.'),
  void_lookups: count('Lookups among them that find nothing; receivers accept 2.'),
  terms: z.array(Term).describe('Every term, each before those below it.'),
  from: day('First day of the window: 90 days.'),
  to: day('Last day of the window: today.'),
  messages: count('Messages of the domain in the window.'),
  senders_total: count('Addresses that send as the domain in the window; the 5,000 busiest are considered.'),
  absent: z.array(Absent).describe('The first 200 of them that no term authorises; those that fail SPF first.'),
  absent_total: count('All of them.'),
  advice: z
    .object({
      record: text(
        'The shortest record that still authorises every own sender; null where none can be advised, or where ' +
          'receivers would end with an error at it.',
      ).nullable(),
      lookups: count('DNS lookups of the terms that stay.'),
      removed: z.array(z.string()).describe('Terms that can go, also where no record is offered.'),
      added: z.array(z.string()).describe('Terms that it adds.'),
      reasons: z.array(z.string()).describe('Sentences; ready to show.'),
    })
    .describe('Advice: look at it before you publish it.'),
});

export type SpfBody = z.input<typeof SpfAnswer>;
