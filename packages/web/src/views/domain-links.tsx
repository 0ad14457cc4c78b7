import type { ComponentChildren } from 'preact';
import { withFilter } from '../page/filter.ts';
import { useFrame } from '../page/frame.ts';
import { Breakable } from './breakable.tsx';
import { PageLink } from './page-link.tsx';

interface DomainLinksProps {
  domains: readonly string[];
  /** The most that are named; the others are counted. */
  most: number;
  /** What stands for the empty name. */
  organization?: ComponentChildren;
}

/** Domains in a sentence, each leading to its page: `a.example, b.example and 3 more`. */
export function DomainLinks({ domains, most, organization }: DomainLinksProps) {
  const { formats, url } = useFrame();
  const more = domains.length - most;
  return (
    <>
      {domains.slice(0, most).map((domain, i) => (
        <>
          {i > 0 && ', '}
          {domain === '' ? (
            organization
          ) : (
            <PageLink key={domain} to={withFilter(url, `/domains/${domain}`)}>
              <Breakable name={domain} />
            </PageLink>
          )}
        </>
      ))}
      {more > 0 && ` and ${formats.count(more)} more`}
    </>
  );
}
