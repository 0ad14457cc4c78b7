import { dirname, join } from 'node:path';
import { jobs } from '@dmarc-ledger/queues';
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

describe('architecture.md', () => {
  const page = read('docs/architecture.md');

  it('names no source that there is not', () => {
    const sources = [...page.matchAll(/`(?:node )?([\w./*-]+\.tsx?)`/g)].map(([, path]) => path!);
    expect(sources.length).toBeGreaterThan(30);
    expect(sources.filter((path) => sourcesOf(path, 'packages/pipeline/src').length === 0)).toEqual([]);
  });

  it('has every job in the row of its queue', () => {
    const [, section = ''] = page.split('## The two queues');
    const rows = [...section.matchAll(/^\| `(\w+)` \| (.+) \|$/gm)].flatMap(([, queue, cell]) =>
      [...cell!.matchAll(/`(\w+)`/g)].map(([, name]) => ({ queue, name })),
    );
    const all = Object.values(jobs).map(({ name, queue }) => ({ queue, name }));
    const byName = (a: { name?: string }, b: { name?: string }) => a.name!.localeCompare(b.name!);
    expect(rows.toSorted(byName)).toEqual(all.toSorted(byName));
  });
});

describe('limits.md', () => {
  it('names no constant with a file that does not define it', () => {
    const named = constantsIn(read('docs/limits.md'));
    expect(named.length).toBeGreaterThan(100);
    const missing = named.filter(({ name, file, beside }) => {
      const definition = new RegExp(`\\bconst [^=]*\\b${name}\\b`);
      return !sourcesOf(file, beside).some((path) => definition.test(read(path)));
    });
    expect(missing).toEqual([]);
  });
});

interface NamedConstant {
  name: string;
  file: string;
  /** The folder of the file that the heading names. */
  beside: string;
}

/** The constants in the tables of a page that are named with a file: in their cell, else in the heading above. */
function constantsIn(page: string): NamedConstant[] {
  return page.split(/^(?=## )/m).flatMap((section) => {
    const [, ofHeading = ''] = /^## .*`([\w./-]+\.ts)`/.exec(section) ?? [];
    return cellsOf(section, 'Constant').flatMap((cell) =>
      cell.split(/;|(?<=\.tsx?`),/).flatMap((part) => {
        if (/\bsame\b/.test(part)) return [];
        const words = [...part.matchAll(/`([^`]+)`/g)].map(([, word]) => word!);
        const file = words.find((word) => word.includes('/') || word.endsWith('.ts')) ?? ofHeading;
        const names = file === '' ? [] : words.filter((word) => /^\w+$/.test(word));
        return names.map((name) => ({ name, file, beside: dirname(ofHeading) }));
      }),
    );
  });
}

/** What the tables of a text have in the column of this title. */
function cellsOf(text: string, title: string): string[] {
  let column = -1;
  return text.split('\n').flatMap((line) => {
    const cells = line.replace(/ \|$/, '').split(/ ?\| /);
    if (line.startsWith('| Limit |')) column = cells.indexOf(title);
    return line.startsWith('| ') ? (cells[column] ?? []) : [];
  });
}

/**
 * The files of a path as documentation writes it: from the root, from `packages` with or without the folder `src`, or
 * from the folder that the text is about. A folder stands for the files in it.
 */
function sourcesOf(path: string, beside: string): string[] {
  const places = [path, join('packages', path), join('packages', path.replace('/', '/src/')), join(beside, path)];
  return found(...places.map((place) => (/\.tsx?$/.test(place) ? place : `${place}/*.ts`)));
}

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
