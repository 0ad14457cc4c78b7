import type { ActionItem } from '@dmarc-ledger/scoring';
import { withFilter } from '../../page/filter.ts';
import { useFrame } from '../../page/frame.ts';
import { Breakable } from '../../views/breakable.tsx';
import { PageLink } from '../../views/page-link.tsx';

/** A domain that has no score yet, with its open items, most urgent first. */
export interface SilentDomain {
  domain: string;
  items: readonly ActionItem[];
}

const SHOWN = 5;

/** Names the domains that have no score, as no report of today or before is about them, and that need something. */
export function SilentDomains({ domains }: { domains: readonly SilentDomain[] }) {
  const { formats, url } = useFrame();
  if (domains.length === 0) return null;
  const more = domains.length - SHOWN;
  return (
    <p>
      {formats.counted(domains.length, 'domain', 'domains')} without a score {domains.length === 1 ? 'has' : 'have'}{' '}
      open items:{' '}
      {domains.slice(0, SHOWN).map(({ domain }, i) => (
        <>
          {i > 0 && ', '}
          <PageLink key={domain} to={withFilter(url, `/domains/${domain}`)}>
            <Breakable name={domain} />
          </PageLink>
        </>
      ))}
      {more > 0 && ` and ${formats.count(more)} more`}.
    </p>
  );
}
