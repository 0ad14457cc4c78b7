import type { BodyOf, getDomainHealth } from '@dmarc-ledger/api/answers';

type Health = BodyOf<typeof getDomainHealth>;

/**
 * What a domain's page shows where no item is open. Where v1 says that compliance can improve, the page says what
 * fails: at a policy of reject that mail is refused, and it may be the domain's own.
 */
export function shownEmptyState({
  domain,
  compliance,
  empty_state,
}: Pick<Health, 'domain' | 'compliance' | 'empty_state'>): NonNullable<Health['empty_state']> | undefined {
  if (!empty_state) return undefined;
  const failing = Math.round(100 * (100 - compliance.rate)) / 100;
  if (failing === 0 || !empty_state.cta_url?.startsWith('/sources')) return empty_state;
  return {
    healthy: false,
    message:
      `No item is open, but ${failing}% of the mail of 30 days fails DMARC. See whether a sender of yours is in ` +
      `it.`,
    cta_url: `/domains/${domain}/enforce`,
    cta_label: 'What fails, and what to repair',
  };
}
