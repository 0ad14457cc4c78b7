import type { Route } from './define-route.ts';
import { everyAnswer, JSON_TYPE, type Headers } from './http/headers.ts';
import { styleHash } from './docs/style-hash.ts';
import { docsPage } from './docs/page.ts';
import { docsStyle } from './docs/style.ts';
import { openApiDocument } from './openapi/document.ts';

const BASE_PATH = '/v1';

/** An endpoint, or a public page, with its full path. A page may name the address at which it was reached. */
export type Place =
  | { path: string; route: Route }
  | { path: string; page: { headers: Headers; body: (origin: string) => string } };

/** Returns all places of the API. */
export function placesOf(routes: readonly Route[]): Place[] {
  const endpoints = routes.map((route) => ({ path: `${BASE_PATH}${route.path}`, route }));
  return [...endpoints, openApiPlace(routes), docsPlace(routes)];
}

const forAnybody: Headers = { ...everyAnswer, 'cache-control': 'public, max-age=300', vary: 'Accept-Encoding' };

function openApiPlace(routes: readonly Route[]): Place {
  const body = JSON.stringify(openApiDocument(routes), null, 2);
  return {
    path: `${BASE_PATH}/openapi.json`,
    page: { headers: { ...forAnybody, 'content-type': JSON_TYPE }, body: () => body },
  };
}

/** The page contains its style, and the browser may load nothing else. */
function docsPlace(routes: readonly Route[]): Place {
  const policy = `default-src 'none'; style-src '${styleHash(docsStyle)}'; base-uri 'none'; frame-ancestors 'none'`;
  const headers = {
    ...forAnybody,
    vary: 'Accept-Encoding, X-Forwarded-Proto',
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy,
  };
  return { path: '/docs', page: { headers, body: docsPage(routes) } };
}
