import type { CheckStatus, Link } from '@dmarc-ledger/vocabulary';
import { HEALTHY } from './score.ts';

export interface EmptyState {
  healthy: boolean;
  message: string;
  cta_label?: string;
  link?: Link;
}

export interface EmptyFacts {
  domain: string;
  hasReports: boolean;
  /** True if every report is dated after today. */
  isAhead: boolean;
  isVerified: boolean;
  isLocked: boolean;
  /** The statuses of DMARC, SPF and DKIM. */
  statuses: readonly CheckStatus[];
  /** What is wrong with a record that is published and that no item is about. */
  fault: string | undefined;
  score: number;
}

/** What is shown, and the facts for which it is shown. */
type State = readonly [holds: (facts: EmptyFacts) => boolean, state: (facts: EmptyFacts) => EmptyState];

const healthy = { healthy: true, message: 'Everything looks good.' };

/** The first that holds is shown when there is no action item. (rules, action-items/state-without-items) */
export const emptyStates: readonly State[] = [
  [
    ({ isAhead }) => isAhead,
    () => ({
      healthy: false,
      message: 'Reports arrive, but they are dated after today; they count once their day has come.',
    }),
  ],
  [
    ({ hasReports, isVerified }) => !hasReports && !isVerified,
    ({ domain }) => ({
      healthy: false,
      message: 'Point your DMARC record at us to start receiving reports.',
      cta_label: 'Verify domain',
      link: { page: 'verify_domain', domain },
    }),
  ],
  [
    ({ hasReports }) => !hasReports,
    () => ({
      healthy: false,
      message: 'Waiting for the first report; receivers usually send one within 48 hours.',
    }),
  ],
  [({ fault }) => fault !== undefined, ({ fault }) => ({ healthy: false, message: fault ?? '' })],
  [({ isLocked }) => isLocked, () => healthy],
  [
    ({ statuses }) => statuses.includes('unknown'),
    () => ({ healthy: false, message: 'Some DNS records could not be checked.' }),
  ],
  [
    ({ score }) => score < HEALTHY,
    ({ domain }) => ({
      healthy: false,
      message: 'Nothing needs action right now, but compliance can improve.',
      cta_label: 'Review sources',
      link: { page: 'sources', domain },
    }),
  ],
  [() => true, () => healthy],
];

/** Returns what to show when there is no action item. */
export function emptyState(facts: EmptyFacts): EmptyState {
  return emptyStates.find(([holds]) => holds(facts))?.[1](facts) ?? healthy;
}
