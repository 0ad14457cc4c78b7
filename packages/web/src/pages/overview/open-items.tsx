import type { ItemsAlike } from '@dmarc-ledger/scoring';
import { withFilter } from '../../page/filter.ts';
import { useFrame } from '../../page/frame.ts';
import { isAllowed } from '../../page/viewer.ts';
import { DomainLinks } from '../../views/domain-links.tsx';
import { PageLink } from '../../views/page-link.tsx';
import { UrgencyTag } from '../../views/tags.tsx';

const SHOWN_ITEMS = 8;
/** The domains that are named for one item. */
const SHOWN_DOMAINS = 3;

/** What there is to do for all domains, most urgent first; items that ask for the same stand together. */
export function OpenItems({ items }: { items: readonly ItemsAlike[] }) {
  const { formats, url } = useFrame();
  const later = items.slice(SHOWN_ITEMS);
  const more = later.reduce((sum, { count }) => sum + count, 0);
  return (
    <section class="panel">
      <h2>What to do first</h2>
      {items.length === 0 && <p>Nothing is open.</p>}
      <ul class="items">
        {items.slice(0, SHOWN_ITEMS).map((item) => (
          <ItemView key={`${item.severity} ${item.title}`} item={item} />
        ))}
      </ul>
      {more > 0 && (
        <p>
          And {formats.counted(more, 'more open item', 'more open items')}:{' '}
          <PageLink to={withFilter(url, '/domains', { needs: 1, sort_by: 'items', sort_dir: 'desc' })}>
            all domains with open items
          </PageLink>
        </p>
      )}
    </section>
  );
}

function ItemView({ item: { severity, title, count, domains } }: { item: ItemsAlike }) {
  const { formats } = useFrame();
  return (
    <li>
      <UrgencyTag code={severity} /> <strong>{title}</strong>
      {count > 1 && <span class="soft"> {formats.count(count)} times</span>}
      <p>
        <DomainLinks domains={domains} most={SHOWN_DOMAINS} organization={<OfOrganization />} />
      </p>
    </li>
  );
}

function OfOrganization() {
  const { viewer } = useFrame();
  if (!viewer || !isAllowed(viewer, 'alert:read')) return <>the organization</>;
  return <PageLink to="/events?days=&state=open">the organization</PageLink>;
}
