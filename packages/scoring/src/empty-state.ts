import type { CheckStatus } from '@dmarc-ledger/vocabulary';
import { HEALTHY } from './score.ts';

export interface EmptyState {
  healthy: boolean;
  message: string;
  cta_label?: string;
  cta_url?: string;
}

export interface EmptyFacts {
  domain: string;
  hasReports: boolean;
  isVerified: boolean;
  /** The statuses of DMARC, SPF and DKIM. */
  statuses: readonly CheckStatus[];
  score: number;
}

/**
 * Returns what to show when there is no action item; the first state that applies. (rules,
 * action-items/state-without-items)
 */
export function emptyState({ domain, hasReports, isVerified, statuses, score }: EmptyFacts): EmptyState {
  if (!hasReports && !isVerified)
    return {
      healthy: false,
      message: 'Point your DMARC record at us to start receiving reports.',
      cta_label: 'Verify domain',
      cta_url: `/domains/${domain}/verify`,
    };
  if (!hasReports)
    return {
      healthy: false,
      message: 'Waiting for the first report; receivers usually send one within 48 hours.',
    };
  if (statuses.includes('unknown')) return { healthy: false, message: 'Some DNS records could not be checked.' };
  if (score < HEALTHY)
    return {
      healthy: false,
      message: 'Nothing needs action right now, but compliance can improve.',
      cta_label: 'Review sources',
      cta_url: `/sources?domain=${domain}`,
    };
  return { healthy: true, message: 'Everything looks good.' };
}
