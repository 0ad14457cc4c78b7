import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { docsPage } from '../src/docs/page.ts';
import { openApiDocument, routes } from '../src/index.ts';

interface Response {
  $ref?: string;
  description?: string;
  headers?: { [name: string]: { $ref: string } };
  content?: { [type: string]: { schema: object; example?: unknown } };
}

interface Operation {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  security: object[];
  parameters: { name: string; in: string; required: boolean; description: string; schema: object }[];
  responses: { [status: string]: Response };
}

interface Document {
  openapi: string;
  paths: { [path: string]: { get: Operation } };
  components: {
    schemas: { [name: string]: object };
    responses: { [name: string]: Response };
    headers: object;
    securitySchemes: object;
  };
}

// What a reader of the document gets: plain JSON.
const document = JSON.parse(JSON.stringify(openApiDocument(routes))) as Document;
const operations = Object.entries(document.paths).map(([path, { get }]) => ({ path, get }));

/** Every object in the document, with where it stands. */
function* walk(node: unknown, path = '#'): Generator<{ path: string; node: { [key: string]: unknown } }> {
  if (typeof node !== 'object' || node === null) return;
  if (!Array.isArray(node)) yield { path, node: node as { [key: string]: unknown } };
  for (const [key, value] of Object.entries(node)) yield* walk(value, `${path}/${key}`);
}

function resolve(ref: string): unknown {
  return ref
    .slice(2)
    .split('/')
    .reduce<unknown>((node, key) => (node as { [key: string]: unknown })?.[key], document);
}

/** A schema with a name of its own can only be united with null by `anyOf`. */
function isReference(path: string): boolean {
  return JSON.stringify(resolve(path.replace('#', '#/components/schemas'))).includes('"$ref"');
}

const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema({ $id: 'openapi', ...document });

describe('the OpenAPI document', () => {
  it('is 3.1 and has every endpoint once', () => {
    expect(document.openapi).toMatch(/^3\.1\.\d+$/);
    expect(Object.keys(document.paths)).toEqual(routes.map(({ path }) => path));
    expect(new Set(operations.map(({ get }) => get.operationId)).size).toBe(routes.length);
  });

  it('refers only to what is there', () => {
    const refs = [...walk(document)].flatMap(({ node }) => (typeof node['$ref'] === 'string' ? [node['$ref']] : []));
    expect(refs.filter((ref) => resolve(ref) === undefined)).toEqual([]);
  });

  it('has no keyword of OpenAPI 3.0, and null as one of the types', () => {
    const isOld = ({ nullable, anyOf }: { [key: string]: unknown }) =>
      nullable !== undefined || (Array.isArray(anyOf) && anyOf.some((each: { type?: string }) => each.type === 'null'));
    const old = [...walk(document.components.schemas)].filter(({ node }) => isOld(node)).map(({ path }) => path);
    expect(old.filter((path) => !isReference(path))).toEqual([]);
  });

  it.each(Object.keys(document.components.schemas))('%s is a JSON Schema 2020-12', (name) => {
    expect(ajv.validateSchema(document.components.schemas[name]!)).toBe(true);
    expect(() => ajv.compile({ $ref: `openapi#/components/schemas/${name}` })).not.toThrow();
  });

  describe.each(operations)('$path', ({ path, get }) => {
    it('says what it is for, what it takes and what it can answer', () => {
      expect(get.summary).toMatch(/\.$/);
      expect(get.description).toContain('Permission:');
      expect(get.security).toEqual([{ apiKey: [] }]);
      expect(Object.keys(get.responses)).toEqual(expect.arrayContaining(['200', '401', '403', '429', '500', '503']));
      for (const { description } of get.parameters) expect(description).toMatch(/\.$/);
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      expect(get.parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name)).toEqual(inPath);
    });

    it('says how the quota stands, with its answer and with what it refuses after the quota was asked', () => {
      const rate = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'RateLimit-Policy', 'RateLimit'];
      const headersOf = (status: string) => {
        const { $ref, ...response } = get.responses[status] ?? {};
        return Object.keys((($ref ? resolve($ref) : response) as Response).headers ?? {});
      };
      for (const status of Object.keys(get.responses).filter((each) => !['401', '403'].includes(each)))
        expect([status, headersOf(status)]).toEqual([status, expect.arrayContaining(rate)]);
      for (const status of ['401', '403']) expect(headersOf(status).filter((name) => rate.includes(name))).toEqual([]);
      expect(headersOf('429')).toContain('Retry-After');
      expect(headersOf('503')).toContain('Retry-After');
    });

    it('has an example that is a valid answer', () => {
      const { schema, example } = get.responses['200']!.content!['application/json']!;
      const validate = ajv.compile(
        JSON.parse(JSON.stringify(schema).replaceAll('#/components', 'openapi#/components')) as object,
      );
      validate(example);
      expect(validate.errors).toBeNull();
      const route = routes.find((each) => each.path === path);
      expect(route?.answer.safeParse(example).error).toBeUndefined();
    });
  });
});

describe('the page for people', () => {
  const page = docsPage(routes);

  it('has every endpoint and parameter', () => {
    for (const { path, get } of operations) {
      expect(page).toContain(`<code>${path}</code>`);
      for (const { name } of get.parameters) expect(page).toContain(`<code>${name}</code>`);
    }
  });

  it('loads nothing from anywhere and runs nothing', () => {
    expect(page).not.toMatch(/<(?:script|link|img|iframe|object|embed|video|audio|source|base|form)\b/i);
    expect(page).not.toMatch(/\b(?:src|srcset|style|on\w+)=/i);
    expect(page).not.toMatch(/@import|url\(/i);
    const targets = [...page.matchAll(/href="([^"]*)"/g)].map(([, target]) => target!);
    const outside = targets.filter((target) => !/^(?:#|\/v1\/openapi\.json$)/.test(target));
    expect(outside).toEqual(['https://db-ip.com']); // a link that the licence of the geo data asks for
  });

  it('has a target for each of its links', () => {
    const ids = new Set([...page.matchAll(/id="([^"]+)"/g)].map(([, id]) => id));
    for (const [, id] of page.matchAll(/href="#([^"]+)"/g)) expect(ids).toContain(id);
  });
});
