import type { ComponentChildren } from 'preact';
import { withFilter } from '../page/filter.ts';
import { useFrame } from '../page/frame.ts';
import { homeOf, isAllowed, type Right, type Viewer } from '../page/viewer.ts';
import type { Permission } from '@dmarc-ledger/vocabulary';

const places: readonly { path: string; label: string; needs: Permission | Right }[] = [
  { path: '/', label: 'Overview', needs: 'analytics:read' },
  { path: '/domains', label: 'Domains', needs: 'domain:read' },
  { path: '/enforcement', label: 'Enforcement', needs: 'domain:read' },
  { path: '/senders', label: 'Senders', needs: 'analytics:read' },
  { path: '/reports', label: 'Reports', needs: 'report:read' },
  { path: '/tls', label: 'TLS', needs: 'report:read' },
  { path: '/events', label: 'Events', needs: 'alert:read' },
  { path: '/digest', label: 'Digest', needs: 'get digests' },
  { path: '/settings/ingest', label: 'Intake', needs: 'see intake' },
  { path: '/settings/people', label: 'People', needs: 'manage people' },
  { path: '/settings/api-keys', label: 'API keys', needs: 'manage keys' },
  { path: '/settings/notifications', label: 'Notifications', needs: 'manage notifications' },
  { path: '/settings/installation', label: 'Installation', needs: 'operate' },
];

/** The frame around a page: the pages that the viewer may open, the organization and the account. */
export function Layout({ children }: { children: ComponentChildren }) {
  const { formats, url, viewer, refused } = useFrame();
  return (
    <>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <div class="shell">
        {viewer && <Side viewer={viewer} />}
        <main id="main">
          {viewer && (
            <p class="printed small">
              {viewer.orgName} · {url.href} · {formats.instant(new Date())}
            </p>
          )}
          {refused && (
            <p class="notice error" role="alert">
              {refused.error}
            </p>
          )}
          {children}
        </main>
      </div>
    </>
  );
}

function Side({ viewer }: { viewer: Viewer }) {
  const { url } = useFrame();
  const isHere = (path: string) => (path === '/' ? url.pathname === '/' : `${url.pathname}/`.startsWith(`${path}/`));
  return (
    <header class="side">
      <a class="brand" href={withFilter(url, homeOf(viewer))}>
        DMARC Ledger
      </a>
      <nav aria-label="Pages">
        <ul>
          {places
            .filter(({ needs }) => isAllowed(viewer, needs))
            .map(({ path, label }) => (
              <li key={path}>
                <a href={withFilter(url, path)} aria-current={isHere(path) ? 'page' : undefined}>
                  {label}
                </a>
              </li>
            ))}
          <li>
            <a href="/help">Help</a>
          </li>
        </ul>
      </nav>
      <div class="who">
        <div>
          <strong>{viewer.orgName}</strong>
          {viewer.memberships.length > 1 && (
            <>
              {' '}
              <a href="/orgs">Change</a>
            </>
          )}
        </div>
        <a href="/account">{viewer.email}</a>
        <form method="post" action="/sign-out">
          <button class="plain">Sign out</button>
        </form>
      </div>
    </header>
  );
}
