import { z } from 'zod';
import type { Route } from '../define-route.ts';

export type JsonSchema = { [keyword: string]: unknown };

/**
 * Returns the schemas of all responses as JSON Schema 2020-12: named ones once, under `components`, and the responses
 * that refer to them. Objects stay open, because fields may be added; null is one of a value's types.
 */
export function answerSchemas(routes: readonly Route[]): {
  components: { [name: string]: JsonSchema };
  answerOf: (route: Route) => JsonSchema;
} {
  const registry = z.registry<{ id: string }>();
  for (const route of routes) registry.add(route.answer, { id: answerName(route) });
  for (const [id, schema] of namedParts(routes)) if (!registry.has(schema)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, { io: 'input', uri: (id) => `#/components/schemas/${id}` });
  return {
    components: Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, tidy(schema)])),
    answerOf: (route) => ({ $ref: `#/components/schemas/${answerName(route)}` }),
  };
}

function answerName({ operationId, answer }: Route): string {
  return z.globalRegistry.get(answer)?.id ?? `${operationId.replace(/^(?:list|get)/, '')}Answer`;
}

/** The schemas inside the responses that have an id. */
function namedParts(routes: readonly Route[]): Map<string, z.core.$ZodType> {
  const named = new Map<string, z.core.$ZodType>();
  for (const { answer } of routes) {
    z.toJSONSchema(answer, {
      io: 'input',
      override({ zodSchema }) {
        const id = z.globalRegistry.get(zodSchema)?.id;
        if (id) named.set(id, zodSchema);
      },
    });
  }
  return named;
}

/** Turns `anyOf` of one type and null into a type union, and removes keywords that only the generator needs. */
function tidy(node: unknown): JsonSchema {
  return clean(node) as JsonSchema; // an object stays an object
}

function clean(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(clean);
  if (typeof node !== 'object' || node === null) return node;
  const { $schema: _dialect, $id: _address, id: _id, ...rest } = node as JsonSchema;
  const cleaned = Object.entries(rest).map(([key, value]) => [
    key,
    key === 'properties' ? fields(value) : clean(value),
  ]);
  return uniteWithNull(Object.fromEntries(cleaned));
}

/** The names of fields are not keywords: a field may be called `id`. */
function fields(properties: unknown): unknown {
  return Object.fromEntries(Object.entries(properties as JsonSchema).map(([name, schema]) => [name, clean(schema)]));
}

function uniteWithNull(schema: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema;
  const [value, nothing] = anyOf as JsonSchema[];
  if (nothing?.['type'] !== 'null' || typeof value?.['type'] !== 'string') return schema;
  const values = Array.isArray(value['enum']) ? { enum: [...value['enum'], null] } : {};
  return { ...value, ...values, ...rest, type: [value['type'], 'null'] };
}
