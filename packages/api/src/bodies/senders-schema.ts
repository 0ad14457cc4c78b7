import { evidenceCodes } from '@dmarc-ledger/scoring';
import { senderDecisions } from '@dmarc-ledger/vocabulary';
import { z } from 'zod';
import { ConfidenceField } from './confidence-schema.ts';
import { count, instant, paging, percentage, text } from './fields.ts';

/** The identity of a sender, in every answer that names one. */
export const identityFields = {
  id: text('Key of the sender within its domain: the slug of a service, or a network.'),
  slug: text('Slug of the recognised service; null for a network of addresses of none.').nullable(),
  name: text('Name of the service, or the network.'),
};

export const decisionField = z.enum(senderDecisions).nullable();

const Sender = z
  .object({
    ...identityFields,
    domain: text('Domain that it sends as.'),
    addresses: count('Sending addresses.'),
    messages: count('Messages.'),
    compliant_messages: count('Messages that passed DMARC.'),
    compliance_rate: percentage('Share of messages that passed DMARC.'),
    confidence: ConfidenceField.describe('The confidence in that rate, by what the last 30 days of the domain show.'),
    spf_pass: count('Messages with an aligned SPF pass.'),
    dkim_pass: count('Messages with an aligned DKIM pass.'),
    forwarded_messages: count('Failing messages that were likely forwarded.'),
    suspicious_messages: count('Failing messages with signs of forgery.'),
    unexplained_messages: count('Failing messages that nothing explains.'),
    first_seen: instant('Begin of the earliest window that mentions it.').nullable(),
    last_seen: instant('End of the latest window that mentions it.').nullable(),
    decision: decisionField.describe('What people have decided about it; null until they do.'),
    decided_at: instant('When it was decided.').nullable(),
    decided_by: text('Who decided: an e-mail address, or `cli`.').nullable(),
    owner: text('Who answers for the sender.').nullable(),
    note: text('What was noted with the decision.').nullable(),
    suggestion: decisionField.describe('What its mail suggests; null where the mail does not tell.'),
    suggestion_reason: text('Why that is suggested.').nullable(),
    new_evidence: z
      .array(
        z.object({
          code: z.enum(evidenceCodes).describe('What kind of evidence it is.'),
          message: text('The evidence in a sentence.'),
        }),
      )
      .describe('What speaks against the decision since it was made.'),
  })
  .meta({ id: 'Sender' });

export const SendersAnswer = z.object({
  senders: z.array(Sender).describe('The page; empty when nothing matches.'),
  ...paging,
});

export type SenderBody = z.input<typeof Sender>;
export type SendersBody = z.input<typeof SendersAnswer>;
