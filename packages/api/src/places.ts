import type { Route } from './define-route.ts';
import { everyAnswer, JSON_TYPE, type Headers } from './http/headers.ts';
import { styleHash } from './docs/style-hash.ts';
import { docsPage } from './docs/page.ts';
import { docsStyle } from './docs/style.ts';
import { openApiDocument } from './openapi/document.ts';
import type { RouteTable } from './route-table.ts';

/** An endpoint, or a public page, with its full path. A page may name the address at which it was reached. */
export type Place =
  | { path: string; route: Route }
  | { path: string; page: { headers: Headers; body: (origin: string) => string } };

/** Returns the places of all tables: their endpoints, and the two descriptions of each. */
export function placesOf(tables: readonly RouteTable[]): Place[] {
  return tables.flatMap((table) => [
    ...table.routes.map((route) => ({ path: `${table.basePath}${route.path}`, route })),
    openApiPlace(table),
    docsPlace(table),
  ]);
}

const forAnybody: Headers = { ...everyAnswer, 'cache-control': 'public, max-age=300', vary: 'Accept-Encoding' };

function openApiPlace({ routes, ...about }: RouteTable): Place {
  const body = JSON.stringify(openApiDocument(routes, about), null, 2);
  return {
    path: `${about.basePath}/openapi.json`,
    page: { headers: { ...forAnybody, 'content-type': JSON_TYPE }, body: () => body },
  };
}

/** The page contains its style, and the browser may load nothing else. */
function docsPlace({ routes, ...about }: RouteTable): Place {
  const policy = `default-src 'none'; style-src '${styleHash(docsStyle)}'; base-uri 'none'; frame-ancestors 'none'`;
  const headers = {
    ...forAnybody,
    vary: 'Accept-Encoding, X-Forwarded-Proto',
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy,
  };
  return { path: about.docsPath, page: { headers, body: docsPage(routes, about) } };
}
