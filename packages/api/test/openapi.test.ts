import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { gradeOf, healthStateOf } from '@dmarc-ledger/scoring';
import { rate } from '@dmarc-ledger/vocabulary';
import { originOf } from '../src/docs/origin.ts';
import { docsPage } from '../src/docs/page.ts';
import type { usageExample } from '../src/v1/usage-example.ts';
import { ext, openApiDocument, routes } from '../src/index.ts';

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
      expect(Object.keys(get.responses)).toEqual(
        expect.arrayContaining(['200', '400', '401', '403', '408', '429', '431', '500', '503']),
      );
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
      // these are refused before a quota is looked at
      const isUnmetered = (status: string) =>
        ['401', '403', '408', '431'].includes(status) || get.responses[status]?.$ref?.endsWith('/BadRequest');
      for (const status of Object.keys(get.responses).filter((each) => !isUnmetered(each)))
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

/** Every property of the answers, with where it stands and what is said of it there or where it is defined. */
function* properties(node: unknown, path: string): Generator<{ path: string; description: string | undefined }> {
  if (typeof node !== 'object' || node === null) return;
  const { properties: own = {}, ...rest } = node as { properties?: { [name: string]: Described } };
  for (const [name, property] of Object.entries(own)) {
    const referred = property.$ref === undefined ? undefined : (resolve(property.$ref) as Described);
    const united = property.anyOf?.map(({ $ref }) => $ref && (resolve($ref) as Described).description).join('');
    yield { path: `${path}.${name}`, description: property.description ?? referred?.description ?? united };
    yield* properties(property, `${path}.${name}`);
  }
  for (const [key, part] of Object.entries(rest)) yield* properties(part, `${path}/${key}`);
}

interface Described {
  $ref?: string;
  anyOf?: { $ref?: string }[];
  description?: string;
}

it('describes every property of every answer in a sentence', () => {
  const all = [...properties(document.components.schemas, '')];
  expect(all.length).toBeGreaterThan(250);
  expect(all.filter(({ description }) => !/[.;)`]$/.test(description ?? '')).map(({ path }) => path)).toEqual([]);
});

describe('the figures of the examples', () => {
  type Figures = { [name: string]: number };
  const exampleOf = (path: string) =>
    document.paths[path]!.get.responses['200']!.content!['application/json']!.example as { [name: string]: unknown };
  const scored = ([compliance, spf, dkim, policy]: readonly [number, number, number, number]) =>
    Math.round((0.4 * compliance + 0.2 * (spf + dkim + policy)) * 100) / 100;
  const P: { [policy: string]: number } = { none: 25, quarantine: 75, reject: 100 };
  const list = (example: { [name: string]: unknown }, name: string) => example[name] as Figures[];

  it('of the health of a domain follow its own formula', () => {
    const { overall_score, grade, compliance, total_messages, trend_sparkline } = exampleOf(
      '/domains/{domain}/health',
    ) as { [name: string]: never } & { compliance: Figures & { policy: string }; trend_sparkline: Figures[] };
    const { rate: passed, spf_pass, dkim_pass, policy } = compliance;
    const score = scored([passed!, spf_pass!, dkim_pass!, P[policy]!]);
    expect([overall_score, grade]).toEqual([Math.floor(score), gradeOf(score, true)]);
    expect(trend_sparkline).toHaveLength(30);
    expect(trend_sparkline.reduce((sum, day) => sum + day['total_messages']!, 0)).toBe(total_messages);
  });

  it('of the scores follow the formula, and the sums of their domains', () => {
    const score = exampleOf('/compliance-score') as Figures & { grade: string; domain_scores: Figures[] };
    const parts = [score['compliance_rate']!, score['spf_pass_rate']!, score['dkim_pass_rate']!] as const;
    expect(score['overall_score']).toBe(scored([...parts, score['policy_strength']!]));
    expect(score.grade).toBe(gradeOf(score['overall_score']!, true));
    expect(score.domain_scores).not.toEqual([]);
    for (const domain of score.domain_scores) {
      const { compliance_rate, spf_pass_rate, dkim_pass_rate, policy } = domain;
      expect(domain['score']).toBe(scored([compliance_rate!, spf_pass_rate!, dkim_pass_rate!, P[String(policy)]!]));
    }
    expect(score.domain_scores.reduce((sum, domain) => sum + domain['total_messages']!, 0)).toBe(
      score['total_messages'],
    );
  });

  it.each([
    ['/reports', 'reports', 'compliant_messages', 'total_messages'],
    ['/trends', 'points', 'compliant_messages', 'total_messages'],
    ['/sources', 'sources', 'pass_count', 'total_messages'],
  ])('of %s have the rate of their messages', (path, rows, part, whole) => {
    const shown = list(exampleOf(path), rows);
    expect(shown).not.toEqual([]);
    for (const row of shown) expect(row['compliance_rate']).toBe(rate(row[part]!, row[whole]!));
  });

  it('of the overview are the sums and states of its cards', () => {
    const {
      org_health: org,
      domain_cards: cards,
      action_items_summary: items,
    } = exampleOf('/dashboard/overview') as {
      org_health: Figures & { health_state: string; grade: string };
      domain_cards: (Figures & { grade: string })[];
      action_items_summary: Figures;
    };
    expect(org['total_messages']).toBe(cards.reduce((sum, card) => sum + card['total_messages']!, 0));
    expect([org.grade, org.health_state]).toEqual([
      gradeOf(org['overall_score']!, true),
      healthStateOf(org['overall_score']!, true),
    ]);
    expect(cards).not.toEqual([]);
    for (const card of cards) expect(card.grade).toBe(gradeOf(card['score']!, true));
    expect(items['total_pending']).toBe(items['high']! + items['medium']! + items['low']!);
  });

  it('of the usage add up', () => {
    const usage = exampleOf('/api-keys/usage') as unknown as typeof usageExample;
    expect(usage.window.remaining).toBe(usage.window.limit - usage.window.used);
    expect(usage.window.percent_used).toBe(rate(usage.window.used, usage.window.limit));
    expect(usage.window.reset).toBe(Date.parse(usage.window.resets_at) / 1_000);
    expect(usage.total_requests).toBe(usage.history.reduce((sum, { requests }) => sum + requests, 0));
    expect(usage.history).toHaveLength(usage.days);
    expect(usage.message).toBe('127 of 1,000 requests used this hour.');
  });
});

describe('the page for people', () => {
  const page = docsPage(routes)('https://dmarc.example');

  it('has every endpoint and parameter', () => {
    expect(operations).toHaveLength(routes.length);
    for (const { path, get } of operations) {
      expect(page).toContain(`<code>${path}</code>`);
      for (const { name } of get.parameters) expect(page).toContain(`<code>${name}</code>`);
    }
  });

  it('has every field of every answer, with its type and when it is absent', () => {
    const fields = [...page.matchAll(/<tr><td><code>([^<]+)<\/code><\/td><td>([^<]+)/g)].map(([, path, type]) => [
      path,
      type,
    ]);
    expect(fields).toEqual(
      expect.arrayContaining([
        ['reports[].received_at', 'string (date-time)'],
        ['domain_scores[].score', 'number'],
        ['dns.dmarc.hosted_cta.url', 'string'],
        ['action_items[].severity', 'high | medium | low'],
      ]),
    );
    expect(page).toContain(
      '<code>empty_state</code></td><td>object<br><small>may be absent, may be null</small></td><td>Present only when',
    );
    expect(fields.filter(([, type]) => /undefined|^\[\]|^$/.test(type ?? ''))).toEqual([]);
  });

  it('has commands for the address at which it was reached', () => {
    expect(page).toContain('https://dmarc.example/v1/statistics');
    expect(page).not.toMatch(/8080|127\.0\.0\.1|\{origin\}/);
  });

  it.each([
    [{ host: 'dmarc.example' }, 'http://dmarc.example'],
    [{ host: '[2001:db8::1]:8443', 'x-forwarded-proto': 'https' }, 'https://[2001:db8::1]:8443'],
    [{ host: '"><script>', 'x-forwarded-proto': 'javascript' }, 'http://localhost'],
    [{}, 'http://localhost'],
  ])('takes the address from %o', (headers, origin) => expect(originOf(headers)).toBe(origin));

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
    const named = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id!);
    expect(named.length).toBeGreaterThanOrEqual(operations.length);
    expect(named.filter((id) => !ids.has(id))).toEqual([]);
  });
});

describe('the document of the extension', () => {
  const own = JSON.parse(JSON.stringify(openApiDocument(ext.routes, ext))) as Document;
  const validator = new Ajv2020({ strict: false, validateFormats: false });
  validator.addSchema({ $id: 'ext', ...own });

  it.each(Object.entries(own.paths))(
    '%s has an example that is a valid answer, and describes every property',
    (_, { get }) => {
      const [content] = Object.values(get.responses['200']!.content!);
      const { schema, example } = content!;
      const local = JSON.stringify(schema).replaceAll('#/components', 'ext#/components');
      const validate = validator.compile(JSON.parse(local) as object);
      validate(example);
      expect(validate.errors).toBeNull();
      const described = [...properties(own.components.schemas, '')];
      expect(described.filter(({ description }) => !/[.;)`]$/.test(description ?? '')).map(({ path }) => path)).toEqual(
        [],
      );
      expect(Object.keys(ext.tags)).toContain(get.tags[0]);
    },
  );

  it('has a page of its own with every endpoint', () => {
    const page = docsPage(ext.routes, ext)('https://dmarc.example');
    for (const { path } of ext.routes) expect(page).toContain(`<code>${path}</code>`);
    expect(page).toContain('https://dmarc.example/ext/v1/senders');
  });
});
