import { describe, expect, it } from 'vitest';
import { anchorOf, findFiles, linkedFile, linksOf, readText } from './support/markdown.ts';

interface Rule {
  /** The name of its page and the anchor of its heading: `scores/grades`. */
  id: string;
  page: string;
  text: string;
}

const SELF = 'test/rules.test.ts';
/** Documents that are not in the repository, by how code cited them: a name with `.md` or with a section's number. */
const OUTSIDE =
  /\bdomain-rules\b|\b(?<!docs\/)(?:standards|reliability|performance|stack|style|design|api-contract)(?:\.md\b|,? (?:section )?\d)/;

const pages = findFiles('docs/rules/*.md').filter((page) => !page.endsWith('/README.md'));
const rules = pages.flatMap((page) => rulesOf(page, readText(page)));
const ids = new Set(rules.map(({ id }) => id));
const code = findFiles(
  '{packages,services}/*/{src,test}/**/*.{ts,tsx}',
  '{scripts,bench,test,bin}/**/*.{ts,js,c}',
  'migrations/*.sql',
).filter((path) => path !== SELF);
const cited = code.flatMap((path) => citationsIn(readText(path)).map((id) => ({ path, id })));

describe('the rules', () => {
  it('are all found', () => {
    expect(ids.size).toBe(rules.length);
    expect(rules.length).toBeGreaterThan(100);
    expect(code.length).toBeGreaterThan(1_000);
    expect(cited.length).toBeGreaterThan(120);
  });

  it('are all cited by code or name the test that runs them', () => {
    const used = new Set(cited.map(({ id }) => id));
    expect(rules.filter((rule) => !used.has(rule.id) && testsOf(rule).length === 0).map(({ id }) => id)).toEqual([]);
  });

  it('each say where they come from', () => {
    expect(rules.filter(({ text }) => !/^Source: /m.test(text)).map(({ id }) => id)).toEqual([]);
  });

  it('name a test that there is wherever they name one', () => {
    const lines = rules.flatMap((rule) => testLines(rule).map((line) => ({ rule, line })));
    expect(lines.length).toBeGreaterThan(90);
    expect(lines.filter(({ line }) => linksOf(line).length === 0).map(({ rule }) => rule.id)).toEqual([]);
    const files = new Set(findFiles('{packages,services}/*/test/**/*.test.ts', 'test/**/*.test.ts'));
    expect(rules.flatMap(testsOf).filter((path) => !files.has(path))).toEqual([]);
  });

  it.each(rules.filter(({ text }) => examplesIn(text).length > 0).map((rule) => [rule.id, rule] as const))(
    '%s has the examples of its tests by their numbers',
    (_, rule) => {
      const tests = testsOf(rule).map(readText).join('\n');
      expect(examplesIn(rule.text).filter((number) => !tests.includes(`'${number}'`))).toEqual([]);
    },
  );

  it('of reading name pairs of a report and what is read that there are', () => {
    const pairs = findFiles('packages/rua/test/fixtures/*.xml').map((path) => path.split('/').at(-1)!.slice(0, 3));
    const named = [...readText('docs/rules/reading-reports.md').matchAll(/\b0\d\d\b/g)].map(([number]) => number);
    expect(named.length).toBeGreaterThan(50);
    expect(named.filter((number) => !pairs.includes(number))).toEqual([]);
  });

  it('are all on the list of pages', () => {
    const listed = linksOf(readText('docs/rules/README.md')).map((target) =>
      linkedFile('docs/rules/README.md', target),
    );
    expect(pages.filter((page) => !listed.includes(page))).toEqual([]);
  });
});

describe('what the code cites', () => {
  it('are rules that there are', () => {
    expect(cited.filter(({ id }) => !ids.has(id))).toEqual([]);
  });

  it.each([
    ['/** (rules, scores/grades) */', ['scores/grades']],
    ['/** (RFC 7208; rules, scores/score, scores/grades) */', ['scores/score', 'scores/grades']],
    ['/**\n * A sentence. (rules,\n * scores/grades; RFC 9989, 4.10)\n */', ['scores/grades']],
    ['// (rules, no such thing)', ['no such thing']],
  ])('is read from %j', (text, expected) => expect(citationsIn(text)).toEqual(expected));

  it('is in the repository', () => {
    const texts = [...code, ...findFiles('*.md', 'docs/**/*.md', '{packages,services,bench}/**/*.md')];
    expect(texts.filter((path) => OUTSIDE.test(readText(path)))).toEqual([]);
  });

  it.each(['(domain-rules, 3.6)', '(standards, 1.10)', '(reliability, section 5.4)', 'see stack.md'])(
    'would be found outside of it: %s',
    (text) => expect(text).toMatch(OUTSIDE),
  );
});

function rulesOf(page: string, text: string): Rule[] {
  const name = page.split('/').at(-1)!.replace('.md', '');
  const [, ...sections] = text.split(/^## /m);
  return sections.map((section) => ({ id: `${name}/${anchorOf(section.split('\n', 1)[0]!)}`, page, text: section }));
}

/** Ids in comments, also across lines: `(rules, scores/grades)`, `(RFC 7208; rules, domain-checks/spf-record)`. */
function citationsIn(text: string): string[] {
  const lines = text.replaceAll(/\s*\n\s*(?:\*|\/\/|--)?\s*/g, ' ');
  return [...lines.matchAll(/[(;] ?rules, ([^;)]+)/g)].flatMap(([, list]) => list!.trim().split(/,\s*/));
}

/** The paragraphs of a rule that name tests. */
function testLines({ text }: Rule): string[] {
  return text.split(/\n\n/).filter((paragraph) => /^Tests?: /.test(paragraph));
}

function testsOf(rule: Rule): string[] {
  const links = linksOf(rule.text).filter((target) => target.endsWith('.test.ts'));
  return links.map((target) => linkedFile(rule.page, target));
}

/** Examples whose number their test has too: of alignment, verdicts and classes. */
function examplesIn(text: string): string[] {
  return [...text.matchAll(/^\| ([AKV]\d+) /gm)].map(([, number]) => number!);
}
