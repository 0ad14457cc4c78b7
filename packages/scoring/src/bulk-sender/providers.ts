/** Mailbox providers with public rules for senders of much mail. */
export const bulkProviders = ['google', 'yahoo', 'microsoft'] as const;
export type BulkProvider = (typeof bulkProviders)[number];

export interface ProviderRules {
  name: string;
  /** To whom the rules apply. */
  applies: string;
  /** Messages a day from which on they apply; null where no number is published. */
  threshold: number | null;
  /** The name of the public page. */
  page: string;
}

/** As published; checked in November 2026. (rules, bulk-sender-rules/providers) */
export const providerRules: { readonly [provider in BulkProvider]: ProviderRules } = {
  google: {
    name: 'Google',
    applies:
      'Senders of close to 5,000 messages a day to personal Gmail accounts, counted for the domain and its ' +
      'subdomains together; the status is permanent.',
    threshold: 5_000,
    page: 'Email sender guidelines (Gmail Help)',
  },
  yahoo: {
    name: 'Yahoo',
    applies: 'Senders of much mail to Yahoo and AOL accounts; no number is published.',
    threshold: null,
    page: 'Sender Best Practices (Yahoo Sender Hub)',
  },
  microsoft: {
    name: 'Microsoft',
    applies: 'Domains that send more than 5,000 messages a day to outlook.com, hotmail.com and live.com.',
    threshold: 5_000,
    page: 'Outlook’s New Requirements for High-Volume Senders (Microsoft Defender for Office 365 Blog)',
  },
};
