import type { sourceClasses } from '@dmarc-ledger/vocabulary';

export type SourceClass = (typeof sourceClasses)[number];

/** How each class is named on pages, in the order in which charts stack them. */
export const classLabels: { [name in SourceClass]: string } = {
  authenticated: 'Authenticated',
  likely_forwarded: 'Likely forwarded',
  needs_review: 'Needs review',
  suspicious: 'Suspicious',
};
