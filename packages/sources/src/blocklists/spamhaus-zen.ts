import type { Blocklist, ListingCode } from './blocklist.ts';

/** Malware infrastructure before hijacked space: if both answer, the more severe one gives the category. */
const codes: readonly ListingCode[] = [
  { code: '127.0.0.30', tier: 4, category: 'malware_c2', meaning: 'BCL (botnet controllers)' },
  { code: '127.0.0.9', tier: 4, category: 'hijacked', meaning: 'DROP (hijacked or criminal space)' },
  { code: '127.0.0.2', tier: 3, category: 'spam', meaning: 'SBL (spam sources)' },
  { code: '127.0.0.3', tier: 3, category: 'spam', meaning: 'CSS (low-reputation senders)' },
  { code: '127.0.0.4', tier: 3, category: 'exploited', meaning: 'XBL (exploited hosts)' },
  { code: '127.0.0.5', tier: 3, category: 'exploited', meaning: 'XBL (exploited hosts)' },
  { code: '127.0.0.6', tier: 3, category: 'exploited', meaning: 'XBL (exploited hosts)' },
  { code: '127.0.0.7', tier: 3, category: 'exploited', meaning: 'XBL (exploited hosts)' },
  { code: '127.0.0.10', tier: 2, category: 'policy', meaning: 'PBL (end-user space, by its provider)' },
  { code: '127.0.0.11', tier: 2, category: 'policy', meaning: 'PBL (end-user space, by Spamhaus)' },
];

/** SBL, CSS, XBL, PBL, DROP and BCL in one query. */
export const spamhausZen: Blocklist = {
  id: 'spamhaus-zen',
  name: 'Spamhaus ZEN',
  rank: 1,
  zone: { v4: 'zen.spamhaus.org', v6: 'zen.spamhaus.org' },
  keyedZone: '{key}.zen.dq.spamhaus.net',
  codes,
  tier: 3,
  category: 'spam',
  ingest: true,
  enabled: true,
  selfTest: 'rfc5782',
  key: 'optional',
  delistUrl: 'https://check.spamhaus.org/',
  usage:
    'Without a key for non-commercial use at low volume through an own resolver; public resolvers are refused. ' +
    'Commercial use needs a Data Query Service key.',
};
