import type { BodyOf, getDomainHealth } from '@dmarc-ledger/api/answers';
import { UrgencyTag } from '../../views/tags.tsx';
import { PageLink } from '../../views/page-link.tsx';

type Health = BodyOf<typeof getDomainHealth>;

interface ActionItemsProps {
  items: NonNullable<Health['action_items']>;
  emptyState: NonNullable<Health['empty_state']> | undefined;
}

/** What to do for a domain, most urgent first. */
export function ActionItems({ items, emptyState }: ActionItemsProps) {
  return (
    <section class="panel">
      <h2>What to do</h2>
      {emptyState && (
        <p>
          {emptyState.message}{' '}
          {emptyState.cta_url && <PageLink to={emptyState.cta_url}>{emptyState.cta_label}</PageLink>}
        </p>
      )}
      <ul class="items">
        {items.map(({ severity, title, suggested_action, cta_url, cta_label }, index) => (
          <li key={index}>
            <UrgencyTag code={severity} /> <strong>{title}</strong>
            <p>
              {suggested_action} {cta_url && <PageLink to={cta_url}>{cta_label ?? 'Open'}</PageLink>}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
