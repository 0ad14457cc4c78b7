import type { BulkProvider } from './providers.ts';

export const bulkRequirements = [
  'spf',
  'dkim',
  'dkim_key',
  'dmarc_record',
  'alignment',
  'ptr',
  'tls',
  'spam_rate',
  'unsubscribe',
  'format',
  'addresses',
] as const;
export type BulkRequirement = (typeof bulkRequirements)[number];

interface Requirement {
  title: string;
  /** Who asks for it, and since which month, `YYYY-MM`. */
  since: { readonly [provider in BulkProvider]?: string };
}

const [FIRST, UNSUBSCRIBE, MICROSOFT] = ['2024-02', '2024-06', '2025-05'];

/** What the providers ask for, in our words. (rules, bulk-sender-rules/requirements) */
export const requirements: { readonly [requirement in BulkRequirement]: Requirement } = {
  spf: {
    title: 'The domain publishes SPF, and its mail passes it',
    since: { google: FIRST, yahoo: FIRST, microsoft: MICROSOFT },
  },
  dkim: {
    title: 'The mail is signed with DKIM, and the signature passes',
    since: { google: FIRST, yahoo: FIRST, microsoft: MICROSOFT },
  },
  dkim_key: { title: 'DKIM keys have at least 1,024 bits', since: { google: FIRST, yahoo: FIRST } },
  dmarc_record: {
    title: 'A DMARC record with at least p=none applies',
    since: { google: FIRST, yahoo: FIRST, microsoft: MICROSOFT },
  },
  alignment: {
    title: 'The domain in From aligns with SPF or DKIM',
    since: { google: FIRST, yahoo: FIRST, microsoft: MICROSOFT },
  },
  ptr: {
    title: 'Sending addresses have a host name that leads back to them',
    since: { google: FIRST, yahoo: FIRST },
  },
  tls: { title: 'Mail is handed over by TLS', since: { google: FIRST } },
  spam_rate: {
    title: 'Fewer than 3 in 1,000 delivered messages are reported as spam',
    since: { google: FIRST, yahoo: FIRST },
  },
  unsubscribe: {
    title: 'Advertising can be unsubscribed from with one click (RFC 8058), and this works within two days',
    since: { google: UNSUBSCRIBE, yahoo: UNSUBSCRIBE },
  },
  format: { title: 'Messages have the form of RFC 5322', since: { google: FIRST, yahoo: FIRST } },
  addresses: {
    title: 'From and Reply-To addresses take replies, and lists are kept clean',
    since: { microsoft: MICROSOFT },
  },
};
