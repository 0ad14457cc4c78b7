import { keyFindingCodes, keyStates } from '@dmarc-ledger/dns-records';
import { z } from 'zod';
import { count, day, instant, percentage, text } from './fields.ts';
import { Placement } from './placement-schema.ts';

const Sender = z
  .object({
    id: text('Key of the sender within the domain: the slug of a service, or a network.'),
    slug: text('Slug of the recognised service; null for a network.').nullable(),
    name: text('Name of the service, or the network.'),
  })
  .meta({ id: 'DkimKeySender' });

const Finding = z
  .object({
    code: z.enum(keyFindingCodes).describe('What is found.'),
    text: text('The finding and what to do; ready to show.'),
  })
  .meta({ id: 'DkimKeyFinding' });

const Key = z
  .object({
    domain: text('The signing domain, `d=`.'),
    selector: text('The selector, `s=`.'),
    state: z
      .enum(keyStates)
      .describe('`active`: mail of the last 7 days passed by it; `idle`: of the last 30; `unused`: none since.'),
    first_pass: day('First day with an aligned pass, of the reports that are held.'),
    last_pass: day('Last day with an aligned pass.'),
    messages: count('Messages of the last 30 days that passed by it.'),
    messages_90_days: count('Messages of the last 90 days that passed by it.'),
    share: percentage('Share of all messages of the domain in the last 30 days.'),
    failing_messages: count('Messages of own senders in the last 7 days that carry it and did not pass.'),
    senders: z.array(Sender).describe('Who uses it, by the newest reports; empty beyond the 20 busiest keys.'),
    published: z
      .enum(['rsa', 'ed25519', 'revoked', 'unusable', 'absent'])
      .nullable()
      .describe('What a check of the last week found at its name; null where none had an answer.'),
    bits: count('Length of an RSA key.').nullable(),
    test_mode: z.boolean().describe('Whether the key has `t=y`.'),
    published_since: instant('When a check first saw what is published now.').nullable(),
    age_days: count(
      'The least age of the key: since it was seen to replace another, or since its first pass.',
    ).nullable(),
    findings: z.array(Finding).describe('What matters most first.'),
    placement: z
      .array(Placement)
      .describe('Where providers put its mail, by placement reports of the last seven days.'),
  })
  .meta({ id: 'DkimKey' });

export const DkimKeysAnswer = z.object({
  domain: text('The domain.'),
  checked_at: instant('When the keys were last read in the DNS; null before the first check.').nullable(),
  keys: z
    .array(Key)
    .describe('The first 100 pairs of signing domain and selector with an aligned pass, busiest first.'),
  total: count('All of them.'),
  other_selectors: z
    .object({
      selectors: count('How many; counted up to 10,000.'),
      is_at_least: z.boolean().describe('Whether there may be more.'),
    })
    .describe('Selectors that reports of 90 days name and that never passed: anybody can write them.'),
});

export type DkimKeysBody = z.input<typeof DkimKeysAnswer>;
