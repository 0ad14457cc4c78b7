import type { DkimKeysBody } from '../bodies/dkim-keys-schema.ts';
import type { SpfBody } from '../bodies/spf-schema.ts';

export const dkimKeysExample: DkimKeysBody = {
  domain: 'example.com',
  checked_at: '2026-03-10T08:00:00Z',
  keys: [
    {
      domain: 'example.com',
      selector: 's1',
      state: 'active',
      first_pass: '2025-06-01',
      last_pass: '2026-03-09',
      messages: 12_400,
      messages_90_days: 36_100,
      share: 62.31,
      failing_messages: 0,
      senders: [{ id: 'sendgrid', slug: 'sendgrid', name: 'Twilio SendGrid' }],
      published: 'rsa',
      bits: 2_048,
      test_mode: false,
      published_since: '2025-06-02T08:00:00Z',
      age_days: 282,
      findings: [
        {
          code: 'rotation_due',
          text:
            'The key of selector s1 is at least 282 days old: replace keys every 180 days, with a new selector ' +
            'beside the old one.',
        },
      ],
      placement: [],
    },
  ],
  total: 1,
  other_selectors: { selectors: 4, is_at_least: false },
};

export const spfExample: SpfBody = {
  domain: 'example.com',
  checked_at: '2026-03-10T08:00:00Z',
  status: 'ok',
  details: 'The SPF record is valid and uses 2 of 10 DNS lookups.',
  record: 'v=spf1 include:sendgrid.net include:_spf.old.example -all',
  is_complete: true,
  lookups: 2,
  void_lookups: 0,
  terms: [
    {
      id: 0,
      parent: null,
      depth: 0,
      term: 'include:sendgrid.net',
      mechanism: 'include',
      qualifier: '+',
      state: 'found',
      target: 'sendgrid.net',
      record: 'v=spf1 ip4:192.0.2.0/24 ~all',
      lookups: 1,
      void_lookups: 0,
      networks: [],
      networks_total: 0,
      addresses: 12,
      messages: 36_100,
      needed: 'yes',
    },
  ],
  from: '2025-12-11',
  to: '2026-03-10',
  messages: 58_000,
  senders_total: 13,
  absent: [
    {
      address: '198.51.100.7',
      sender: '198.51.100.0/24',
      slug: null,
      name: '198.51.100.0/24',
      decision: 'ours',
      messages: 120,
      spf_pass: 0,
      dkim_pass: 120,
      return_path: null,
    },
  ],
  absent_total: 1,
  advice: {
    record: 'v=spf1 include:sendgrid.net ip4:198.51.100.7 -all',
    lookups: 1,
    removed: ['include:_spf.old.example'],
    added: ['ip4:198.51.100.7'],
    reasons: [
      '1 term can go: no mail of your senders in 90 days needed it, or another term covers it. First ask who set it ' +
        'up: a new service, mail that is sent rarely, and mail that only uses the domain as its envelope sender are ' +
        'not in the reports.',
    ],
  },
};
