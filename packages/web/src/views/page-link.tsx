import type { Permission } from '@dmarc-ledger/vocabulary';
import type { ComponentChildren } from 'preact';
import { withFilter } from '../page/filter.ts';
import { useFrame } from '../page/frame.ts';
import { isAllowed, type Right } from '../page/viewer.ts';

/** What the pages below a path require; the first that fits counts. */
const REQUIRED: readonly (readonly [string, Permission | Right])[] = [
  ['/domains/add', 'add domains'],
  ['/domains', 'domain:read'],
  ['/enforcement', 'domain:read'],
  ['/senders', 'analytics:read'],
  ['/sources', 'analytics:read'],
  ['/reports', 'report:read'],
  ['/reporters', 'analytics:read'],
  ['/failures', 'report:read'],
  ['/tls', 'report:read'],
  ['/events', 'alert:read'],
  ['/settings/ingest', 'see intake'],
  ['/settings/mailboxes', 'see intake'],
  ['/settings/people', 'manage people'],
  ['/settings/api-keys', 'manage keys'],
  ['/settings/installation', 'operate'],
  ['/settings/notifications', 'manage notifications'],
];

interface PageLinkProps {
  /** A path of this server, with its query; the filter of the present page is added. */
  to: string;
  class?: string;
  children: ComponentChildren;
}

/** A link to a page; plain text for a viewer whose role may not open it, and then no button at all. */
export function PageLink({ to, class: name, children }: PageLinkProps) {
  const { url } = useFrame();
  const mayOpen = useMayOpen();
  if (mayOpen(to))
    return (
      <a href={withFilter(url, to)} class={name}>
        {children}
      </a>
    );
  return name?.includes('button') ? null : <span class={name}>{children}</span>;
}

/** Tells whether the viewer's role may open a path. */
export function useMayOpen(): (path: string) => boolean {
  const { viewer } = useFrame();
  return (path) => {
    const [bare = ''] = path.split(/[?#]/);
    const required = REQUIRED.find(([prefix]) => bare === prefix || bare.startsWith(`${prefix}/`))?.[1];
    return viewer !== undefined && (required === undefined || isAllowed(viewer, required));
  };
}
