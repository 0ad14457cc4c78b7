import type { BodyOf, getDomainHealth } from '@dmarc-ledger/api/answers';
import type { OpenFact } from '@dmarc-ledger/queries';
import { withFilter } from '../../page/filter.ts';
import { useFrame } from '../../page/frame.ts';
import { messageOf } from '../../texts/event-words.ts';
import { PageLink } from '../../views/page-link.tsx';
import { UrgencyTag } from '../../views/tags.tsx';
import { groupItems, type Item, type ItemGroup } from './group-items.ts';

type Health = BodyOf<typeof getDomainHealth>;

/** Facts of one group that are shown; the page of events has all. */
const SHOWN_FACTS = 5;

interface ActionItemsProps {
  domain: string;
  items: readonly Item[];
  /** All open items, of which `items` may be the first. */
  total: number;
  /** What the open events found; empty for a viewer who may not see events. */
  facts: readonly OpenFact[];
  emptyState: NonNullable<Health['empty_state']> | undefined;
}

/** What to do for a domain, most urgent first. */
export function ActionItems({ domain, items, total, facts, emptyState }: ActionItemsProps) {
  const { formats, url } = useFrame();
  const more = total - items.length;
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
        {groupItems(items, facts).map((group, index) => (
          <ItemView key={index} group={group} />
        ))}
      </ul>
      {more > 0 && (
        <p>
          And {formats.counted(more, 'more open item', 'more open items')}:{' '}
          <PageLink to={withFilter(url, '/events?days=', { domain, state: 'open' })}>open events of {domain}</PageLink>
        </p>
      )}
    </section>
  );
}

function ItemView({ group: { item, count, facts } }: { group: ItemGroup }) {
  const { formats } = useFrame();
  const { severity, title, suggested_action: action, cta_url: link, cta_label: label } = item;
  const found = facts.flatMap((fact) => messageOf(fact, formats) ?? []).filter((text) => text !== action);
  const more = found.length - SHOWN_FACTS;
  return (
    <li>
      <UrgencyTag code={severity} /> <strong>{title}</strong>
      {count > 1 && <span class="soft"> {formats.count(count)} times</span>}
      {found.slice(0, SHOWN_FACTS).map((text) => (
        <p key={text} class="soft">
          {text}
        </p>
      ))}
      {more > 0 && <p class="soft">And {formats.count(more)} more.</p>}
      <p>
        {action} {link && <PageLink to={link}>{label ?? 'Open'}</PageLink>}
      </p>
    </li>
  );
}
