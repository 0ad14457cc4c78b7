import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ext, openApiDocument, routes } from '@dmarc-ledger/api';
import { expect, it } from 'vitest';

interface Target {
  url: string;
  root_selector: string;
  columns: { selector: string; text: string; type: string }[];
}

interface Board {
  panels: { id: number; title: string; description: string; gridPos: Box; targets: Target[] }[];
}

interface Box {
  x: number;
  y: number;
  w: number;
  h: number;
}

interface Document {
  paths: {
    [path: string]: {
      get: {
        parameters: { name: string; in: string }[];
        responses: { 200: { content: { [type: string]: { example: { [field: string]: unknown } } } } };
      };
    };
  };
}

const file = join(import.meta.dirname, '..', 'deploy', 'grafana', 'organization.json');
const { panels } = JSON.parse(readFileSync(file, 'utf8')) as Board;
const documents: { [base: string]: Document } = JSON.parse(
  JSON.stringify({ '/v1': openApiDocument(routes), '/ext/v1': openApiDocument(ext.routes, ext) }),
);

/** What the documents say about the endpoint of a target. */
function endpointOf(url: string) {
  const { pathname, searchParams } = new URL(url, 'http://ledger');
  const base = pathname.startsWith('/ext/') ? '/ext/v1' : '/v1';
  const found = documents[base]!.paths[pathname.slice(base.length)];
  return { operation: found?.get, asked: [...searchParams.keys()] };
}

it.each(panels.flatMap(({ title, targets }) => targets.map((target) => ({ title, target }))))(
  'the panel "$title" asks for what the API has, and shows fields of its answer',
  ({ target: { url, root_selector: root, columns } }) => {
    const { operation, asked } = endpointOf(url);
    expect(operation).toBeDefined();
    const known = operation!.parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
    expect(known).toEqual(expect.arrayContaining(asked));
    const answer = operation!.responses[200].content['application/json']!.example[root];
    const rows: object[] = Array.isArray(answer) ? answer : [answer as object];
    for (const { selector } of columns) expect(rows[0]).toHaveProperty(selector);
  },
);

it('no panel lies over another, and each has a name and a sentence', () => {
  const overlaps = (a: Box, b: Box) => a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
  expect(panels.length).toBeGreaterThan(8);
  expect(new Set(panels.map(({ title }) => title)).size).toBe(panels.length);
  const pairs = panels.flatMap((one, i) => panels.slice(i + 1).map((other) => [one, other] as const));
  const hidden = pairs.filter(([one, other]) => overlaps(one.gridPos, other.gridPos));
  expect(hidden.map(([one, other]) => `${one.title} and ${other.title}`)).toEqual([]);
  for (const { description, gridPos } of panels) {
    expect(description).toMatch(/\.$/);
    expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
  }
});
