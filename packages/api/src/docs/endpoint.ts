import { escapeHtml } from '@dmarc-ledger/vocabulary';
import type { Route } from '../define-route.ts';
import { parametersOf, type Parameter } from '../openapi/operation.ts';
import { prose } from './html.ts';

const EXAMPLE_LINES = 60;

/** Renders one endpoint: its purpose, parameters, errors, the fields of its answer, and an example. */
export function endpointSection(route: Route, answer: string): string {
  const { operationId, path, summary, description, permission, attachments = {} } = route;
  const files = Object.values(attachments).map((text) => `<p>${prose(text)}</p>`);
  return `<section id="${operationId}">
<h3><span class="method">GET</span> <code>${escapeHtml(path)}</code></h3>
<p>${prose(summary)}${description ? ` ${prose(description)}` : ''}</p>
<p class="permission">Permission <code>${permission}</code></p>
${parameterTable(parametersOf(route))}${files.join('')}${refusals(route)}
${answer}
<details><summary>Example answer</summary>
<pre><code>${escapeHtml(exampleText(route.example))}</code></pre>
</details>
</section>`;
}

function parameterTable(parameters: Parameter[]): string {
  if (parameters.length === 0) return '<p>No parameters.</p>';
  return `<div class="wide"><table>
<thead><tr><th>Parameter</th><th>Values</th><th>Meaning</th></tr></thead>
<tbody>${parameters.map(parameterRow).join('')}</tbody>
</table></div>`;
}

function parameterRow({ name, in: place, description, schema }: Parameter): string {
  const where = place === 'path' ? ' <small>in the path</small>' : '';
  return `<tr><td><code>${escapeHtml(name)}</code>${where}</td><td>${values(schema)}</td><td>${prose(description)}</td></tr>`;
}

function values({ type, format, enum: words, default: standard }: Parameter['schema']): string {
  const kind = Array.isArray(words)
    ? words.map((word) => `<code>${escapeHtml(String(word))}</code>`).join(' ')
    : escapeHtml(String(format ?? type));
  return standard === undefined
    ? kind
    : `${kind}<br><small>default <code>${escapeHtml(JSON.stringify(standard).replaceAll('"', ''))}</code></small>`;
}

function refusals({ errors }: Route): string {
  const list = Object.entries(errors).map(([status, meaning]) => `<li><code>${status}</code> ${prose(meaning)}</li>`);
  return list.length > 0 ? `<ul class="errors">${list.join('')}</ul>` : '';
}

function exampleText(example: unknown): string {
  const lines = (typeof example === 'string' ? example : JSON.stringify(example, null, 2)).split('\n');
  return lines.length > EXAMPLE_LINES ? [...lines.slice(0, EXAMPLE_LINES), '  …'].join('\n') : lines.join('\n');
}
