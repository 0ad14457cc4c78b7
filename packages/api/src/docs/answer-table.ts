import { escapeHtml } from '@dmarc-ledger/vocabulary';
import type { JsonSchema } from '../openapi/schemas.ts';
import { prose } from './html.ts';

/** One row of the table of an answer: a field, by its path from the top. */
interface Field {
  path: string;
  type: string;
  description: string;
  /** When it is absent or null; empty for a field that is always there. */
  absence: string;
}

type Components = { readonly [name: string]: JsonSchema };

const REFERENCE = '#/components/schemas/';
/** Deeper fields are not listed; no answer has any. */
const DEEPEST = 6;

/** Renders every field of an answer: its type, its meaning, and when it is absent or null. */
export function answerTable(answer: JsonSchema, components: Components): string {
  const rows = fieldsOf(answer, components, '', 0).map(
    ({ path, type, description, absence }) =>
      `<tr><td><code>${escapeHtml(path)}</code></td><td>${escapeHtml(type)}${absence === '' ? '' : `<br><small>${absence}</small>`}</td><td>${prose(description)}</td></tr>`,
  );
  return `<details><summary>Fields of the answer</summary>
<div class="wide"><table>
<thead><tr><th>Field</th><th>Type</th><th>Meaning</th></tr></thead>
<tbody>${rows.join('')}</tbody>
</table></div>
</details>`;
}

function fieldsOf(given: JsonSchema, components: Components, prefix: string, depth: number): Field[] {
  const schema = valueOf(given, components);
  if (depth > DEEPEST) return [];
  if (schema['items'] !== undefined) return fieldsOf(schemaOf(schema['items']), components, `${prefix}[]`, depth);
  if (schema['properties'] === undefined && schema['additionalProperties'] !== undefined)
    return fieldsOf(schemaOf(schema['additionalProperties']), components, `${prefix}{}`, depth);
  const required = new Set(Array.isArray(schema['required']) ? schema['required'] : []);
  return Object.entries(schemaOf(schema['properties'])).flatMap(([name, property]) => {
    const path = prefix === '' ? name : `${prefix}.${name}`;
    const own = schemaOf(property);
    const value = valueOf(own, components);
    const description = descriptionOf(own) ?? descriptionOf(value) ?? '';
    const absence = [...(required.has(name) ? [] : ['may be absent']), ...(isNullable(own) ? ['may be null'] : [])];
    const row = { path, type: typeOf(value, components), description, absence: absence.join(', ') };
    return [row, ...fieldsOf(value, components, path, depth + 1)];
  });
}

/** What a schema stands for, without references and null. */
function valueOf(schema: JsonSchema, components: Components): JsonSchema {
  const { $ref: reference, anyOf } = schema;
  if (typeof reference === 'string') return components[reference.slice(REFERENCE.length)] ?? {};
  const value = Array.isArray(anyOf) ? anyOf.find((each) => schemaOf(each)['type'] !== 'null') : undefined;
  return value === undefined ? schema : valueOf(schemaOf(value), components);
}

function typeOf({ type, enum: words, format, items }: JsonSchema, components: Components): string {
  if (Array.isArray(words))
    return words
      .filter((word) => word !== null)
      .map((word) => (word === '' ? '(empty)' : String(word)))
      .join(' | ');
  const name = (Array.isArray(type) ? type : [type]).filter((each) => each !== 'null').join(' | ');
  if (name === 'array' && items !== undefined) return `${typeOf(valueOf(schemaOf(items), components), components)}[]`;
  return typeof format === 'string' ? `${name} (${format})` : name;
}

function descriptionOf({ description }: JsonSchema): string | undefined {
  return typeof description === 'string' ? description : undefined;
}

function isNullable({ type, anyOf }: JsonSchema): boolean {
  if (Array.isArray(anyOf)) return anyOf.some((each) => schemaOf(each)['type'] === 'null');
  return Array.isArray(type) && type.includes('null');
}

function schemaOf(value: unknown): JsonSchema {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
