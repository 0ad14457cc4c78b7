import { escapeHtml, geoAttribution } from '@dmarc-ledger/vocabulary';
import type { Route } from '../define-route.ts';
import { title } from '../openapi/document.ts';
import { answerSchemas } from '../openapi/schemas.ts';
import type { TableDescription } from '../route-table.ts';
import { aboutV1 } from '../v1/table.ts';
import { answerTable } from './answer-table.ts';
import { endpointSection } from './endpoint.ts';
import { docsStyle } from './style.ts';

/** The place in the page of the address at which it was reached. */
const ORIGIN = '{origin}';

/**
 * Renders a table of routes as a documentation page without scripts or external resources. Returns the page for an
 * address of the server, such as `https://dmarc.example`.
 *
 * @param about what the page says as a whole; unset: that of version 1
 */
export function docsPage(routes: readonly Route[], about: TableDescription = aboutV1): (origin: string) => string {
  const page = pageOf(routes, about);
  return (origin) => page.replaceAll(ORIGIN, escapeHtml(origin));
}

function pageOf(routes: readonly Route[], about: TableDescription): string {
  const { components, answerOf } = answerSchemas(routes);
  const section = (route: Route) => endpointSection(route, answerTable(answerOf(route), components));
  const groups = Object.keys(about.tags)
    .map((tag) => ({ tag, list: routes.filter((route) => route.tag === tag) }))
    .filter(({ list }) => list.length > 0);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} API</title>
<style>${docsStyle}</style>
</head>
<body>
<nav aria-label="Endpoints">
<p class="brand">${title}</p>
<ul><li><a href="#start">Start here</a></li><li><a href="#errors">Errors</a></li></ul>
${groups.map(({ tag, list }) => `<p class="tag">${tag}</p>\n<ul>${list.map(menuEntry).join('')}</ul>`).join('\n')}
</nav>
<main>
<h1 id="start">${title} API <small>${about.name}</small></h1>
<p>${escapeHtml(about.introduction)}</p>
${basicsOf(about)}
${groups.map(({ tag, list }) => `<h2>${tag}</h2>\n${list.map(section).join('\n')}`).join('\n')}
<footer><p><small>${geoAttribution.html}. ${escapeHtml(geoAttribution.text)} An operator may have brought other
data.</small></p></footer>
</main>
</body>
</html>
`;
}

function menuEntry({ path, operationId }: Route): string {
  return `<li><a href="#${operationId}">${escapeHtml(path)}</a></li>`;
}

function basicsOf({ basePath, examplePath }: TableDescription): string {
  return `<p>A machine-readable description is at <a href="${basePath}/openapi.json">${basePath}/openapi.json</a> (OpenAPI 3.1).</p>
<h3>Authentication</h3>
<p>Every request carries an API key of scope <code>read</code> or <code>full</code>. The role of the key's owner can
narrow what it allows.</p>
<pre><code>curl -H "Authorization: Bearer $API_KEY" ${ORIGIN}${basePath}${examplePath}</code></pre>
<h3>Lists</h3>
<p><code>limit</code> is at most 200, and a larger one comes back as 200; <code>offset</code> skips rows.
<code>total</code> counts everything that
matches. A <code>limit</code> or <code>offset</code> that makes no sense is ignored, as is an unknown parameter; of
a repeated one
the first counts.</p>
<h3 id="errors">Errors</h3>
<p>The body is <code>{"error": "…"}</code>, with <code>code</code> where a program should branch on it.</p>
<table>
<thead><tr><th>Status</th><th>When</th></tr></thead>
<tbody>
<tr><td>400</td><td>A parameter is refused: <code>detail</code> names it and what it takes. Or the request cannot be
read, such as a target with characters beyond ASCII that are not percent-encoded.</td></tr>
<tr><td>401</td><td>The API key is missing, malformed, unknown, revoked, expired or not entitled.</td></tr>
<tr><td>403</td><td>The key's scope or its owner's role does not allow it; <code>required</code> names the missing
permission.</td></tr>
<tr><td>404</td><td>Nothing of the organization is there; also any unknown path.</td></tr>
<tr><td>405</td><td>Another method than GET; <code>Allow: GET</code>, no body.</td></tr>
<tr><td>408</td><td>The request did not arrive within 15 seconds.</td></tr>
<tr><td>429</td><td>With <code>code</code> <code>quota_exceeded</code> the hourly quota is spent, until
<code>X-RateLimit-Reset</code>; with <code>rate_limited</code> requests came too fast, try again after
<code>Retry-After</code> seconds.</td></tr>
<tr><td>431</td><td>The request line and headers are larger than 16 KiB.</td></tr>
<tr><td>500</td><td>Something unexpected; try again with growing pauses.</td></tr>
<tr><td>503</td><td>Storage could not be read; try again after <code>Retry-After</code> seconds.</td></tr>
</tbody>
</table>`;
}
