import type { z } from 'zod';
import type { EnforcementAnswer } from '../bodies/enforcement-schema.ts';

export const enforcementExample: z.input<typeof EnforcementAnswer> = {
  domain: 'example.com',
  days: 30,
  from: '2026-02-09',
  to: '2026-03-10',
  policy: { p: 'none', sp: null, np: null, adkim: 'r', aspf: 'r' },
  verdict: 'ready after 1 fix',
  verdict_text:
    'Before example.com publishes p=quarantine; sp=none, look at 1 sender: in the last 30 days 40 messages of it ' +
    'would have been quarantined.',
  confidence: {
    level: 'medium',
    seen_rate: 98,
    lowest_rate: 94.07,
    highest_rate: 97.74,
    text:
      'Medium confidence: the reports show 98.0 % of the expected mail, so the share that passes lies between ' +
      '94.1 % and 97.7 %.',
  },
  next_step: 'quarantine',
  steps: [
    {
      step: 'quarantine',
      messages: 1_000,
      failing_messages: 45,
      newly_affected_messages: 40,
      by_decision: { ours: 40, forwarded: 0, not_ours: 0, undecided: 0 },
      senders_total: 1,
      senders: [
        {
          id: 'mailchimp',
          slug: 'mailchimp',
          name: 'Mailchimp',
          addresses: 3,
          messages: 40,
          decision: 'ours',
          is_blocker: true,
          fix:
            'At Mailchimp, open Account > Domains > Authenticate, and publish CNAME records at ' +
            'k2._domainkey.example.com and k3._domainkey.example.com.',
        },
      ],
    },
  ],
  refused: { messages: 0, senders_total: 0, senders: [] },
  is_record_read: true,
  path: [
    {
      stage: 'monitor',
      title: 'Monitor',
      is_current: true,
      tags: 'p=none',
      record: 'v=DMARC1; p=none; rua=mailto:reports@example.com',
      watch: 'Wait for reports of 14 days. Decide about each sender, and repair those that are yours.',
      back: 'Nothing to undo: p=none asks receivers to treat no mail of the domain itself differently.',
    },
  ],
  permissions: [
    { host: 'reports.example', name: 'example.com._report._dmarc.reports.example', type: 'TXT', value: 'v=DMARC1' },
  ],
  readiness: [
    {
      topic: 'pct',
      state: 'change',
      text: 'pct=100 changes nothing: remove it.',
    },
  ],
};
