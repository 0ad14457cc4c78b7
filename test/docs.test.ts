import * as runtime from '@dmarc-ledger/runtime';
import { alertTypes } from '@dmarc-ledger/vocabulary';
import { describe, expect, it } from 'vitest';
import type { ZodType } from 'zod';
import { brokenLinks, findFiles as found, readText as read } from './support/markdown.ts';

const pages = found('*.md', 'docs/**/*.md', 'bench/*.md', '{packages,services}/*/README.md');

describe('links of the documentation', () => {
  it('are looked for in all of it', () => {
    expect(pages).toEqual(expect.arrayContaining(['README.md', 'docs/runbook.md', 'packages/ledger/README.md']));
  });

  it.each(pages)('%s links to pages and headings that there are', (page) => {
    expect(brokenLinks(page, read(page))).toEqual([]);
  });

  it.each(['[x](nothing.md)', '[x](#nowhere)', '[two\nlines](docs/runbook.md#no-such-heading)'])(
    'would be found broken: %s',
    (text) => expect(brokenLinks('README.md', text)).toHaveLength(1),
  );
});

it.each(alertTypes.map(({ code }) => code))('events.md has the event %s by its whole name', (code) => {
  expect(read('docs/events.md')).toContain(`\`${code}\``);
});

describe('configuration.md', () => {
  const page = read('docs/configuration.md');
  const rows = [...page.matchAll(/^\| `([A-Z_]+)` \| .*? \| (.*?) \| /gm)].map(([, name, usual]) => ({
    name: name!,
    usual: usual!,
  }));
  const names = rows.map(({ name }) => name);
  const known = variablesRead();

  it('has every variable that is read', () => {
    expect(known.size).toBeGreaterThan(40);
    expect([...known].filter((name) => !page.includes(`\`${name}`))).toEqual([]);
  });

  it('has no variable that is not read, and none twice', () => {
    expect(names.filter((name) => !known.has(name))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
  });

  it('says what each variable is when it is not set', () => {
    const shapes = Object.entries(runtime).filter(([name]) => name.endsWith('Env')) as [string, object][];
    const types: { [name: string]: ZodType } = Object.assign({}, ...shapes.map(([, shape]) => shape));
    const defaults = rows.flatMap(({ name, usual }) => {
      const [, value] = /^`([^`]+)`$/.exec(usual) ?? [];
      return types[name] && value ? [{ name, value }] : [];
    });
    expect(defaults.length).toBeGreaterThan(20);
    expect(defaults.filter(({ name, value }) => usualOf(types[name]!) !== value)).toEqual([]);
  });
});

it('architecture.md has every table, and none that there is not', () => {
  const [, section = ''] = read('docs/architecture.md').split('## The tables');
  const named = [...section.matchAll(/`([a-z_]+)`/g)].map(([, name]) => name!);
  const texts = found('migrations/*.sql', 'packages/schema/src/**/*.ts').map(read);
  const all = (statement: RegExp) => texts.flatMap((text) => [...text.matchAll(statement)].map(([, name]) => name!));
  const made = all(/\bcreate table (?:if not exists )?([a-z_]+)/gi);
  const renamed = all(/\balter table ([a-z_]+) rename to [a-z_]+/gi);
  const given = all(/\balter table [a-z_]+ rename to ([a-z_]+)/gi);
  const views = all(/\bcreate view ([a-z_]+)/gi);
  const tables = new Set([...made.filter((name) => !renamed.includes(name)), ...given]);
  expect(new Set(named.filter((name) => !views.includes(name)))).toEqual(tables);
});

function usualOf(type: ZodType): string {
  return String(type.safeParse(undefined).data);
}

/** The variables in a shape of the environment, or read by name, in sources that run outside of tests. */
function variablesRead(): Set<string> {
  const inShape = /\b([A-Z][A-Z0-9_]+): (?:z\b|port\(|host\.|onOff\.|days\(|wholeNumber\()/g;
  const byName = /\bprocess\.env(?:\.|\[')([A-Z][A-Z0-9_]+)/g;
  const names = found('{packages,services}/*/src/**/*.ts')
    .filter((path) => !/^packages\/(?:testkit|api)\//.test(path))
    .flatMap((path) => [inShape, byName].flatMap((pattern) => [...read(path).matchAll(pattern)]))
    .map(([, name]) => name!);
  return new Set(names.filter((name) => name !== 'PATH'));
}
