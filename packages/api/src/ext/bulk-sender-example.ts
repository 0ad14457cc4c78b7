import type { z } from 'zod';
import type { BulkSenderAnswer } from '../bodies/bulk-sender-schema.ts';

export const bulkSenderExample: z.input<typeof BulkSenderAnswer> = {
  domain: 'example.com',
  days: 30,
  from: '2026-02-09',
  to: '2026-03-10',
  summary: 'example.com does not meet 1 requirement of the rules for bulk senders.',
  own_messages: 26_400,
  states: { met: 5, not_met: 1, unknown: 0, cannot_be_seen: 5 },
  requirements: [
    {
      requirement: 'dkim_key',
      title: 'DKIM keys have at least 1,024 bits',
      state: 'not_met',
      evidence: 'Of 3 RSA keys of selectors that reports name, the shortest has 768 bits.',
      change:
        'Publish a new key of 2,048 bits under a new selector, and sign with it: keys below 1,024 bits are ignored.',
      sources: [
        { provider: 'google', page: 'Email sender guidelines (Gmail Help)', since: '2024-02' },
        { provider: 'yahoo', page: 'Sender Best Practices (Yahoo Sender Hub)', since: '2024-02' },
      ],
    },
  ],
  providers: [
    {
      id: 'google',
      name: 'Google',
      applies:
        'Senders of close to 5,000 messages a day to personal Gmail accounts, counted for the domain and its ' +
        'subdomains together; the status is permanent.',
      page: 'Email sender guidelines (Gmail Help)',
      threshold: 5_000,
      busiest_day: '2026-03-03',
      busiest_messages: 6_120,
      is_bulk: true,
    },
  ],
};
