import { describe, expect, it } from 'vitest';
import { findFiles, readText } from './support/markdown.ts';

/** Pairs of a report and its reading, and what the tests name in quotes, by package. */
const pairs = (name: string) => findFiles(`packages/${name}/test/fixtures/*.json`);
const documents = {
  rua: findFiles('packages/rua/test/fixtures/*.xml'),
  tlsrpt: findFiles('packages/tlsrpt/test/fixtures/*.report.json'),
  aprf: findFiles('packages/aprf/test/fixtures/*.report.json'),
  ruf: findFiles('packages/ruf/test/fixtures/*.txt'),
};
const tests = findFiles('packages/*/test/**/*.test.ts').map(readText).join('\n');
const answers = Object.keys(documents).flatMap(pairs).map(readText).join('\n');

/** Refusals without a known document: other limits refuse such a document before. */
const WITHOUT_EXAMPLE = ['parse_oom'];

const hasExample = (code: string) => answers.includes(`"${code}"`) || new RegExp(`['"]${code}\\b`).test(tests);

describe('the corpus of the repository', () => {
  it.each([
    ['rua', 162],
    ['tlsrpt', 10],
    ['aprf', 6],
    ['ruf', 8],
  ] as const)('has for %s at least %i documents, each with its answer', (name, least) => {
    expect(documents[name].length).toBeGreaterThanOrEqual(least);
    const answered = documents[name].map((path) => path.replace(/(?:\.report\.json|\.xml|\.txt)$/, ''));
    const known = pairs(name).map((path) => path.replace(/(?:\.read)?\.json$/, ''));
    expect(answered.filter((path) => !known.includes(path))).toEqual([]);
  });

  it.each([
    'google',
    'yahoo',
    'outlook',
    'outlook-enterprise',
    'mail-ru',
    'amazon-ses',
    'fastmail',
    'comcast',
    'aol',
    'gmx',
    '1und1',
    'mimecast',
    'cisco',
    'zoho',
    'seznam',
    'o2-pl',
    'interia',
    'netease',
    'linkedin',
    'opendmarc',
    'mail-dmarc',
    'rspamd',
    'rackspace',
    'godaddy',
    'kddi',
    'gosecure',
    'mox',
    'rfc7489',
    'rfc9990',
  ])('has a report in the shape of %s', (shape) => {
    expect(documents.rua.filter((path) => /\d+-(.*)\.xml$/.exec(path)?.[1]?.startsWith(shape))).not.toEqual([]);
  });
});

describe('every code has an example that a test reads', () => {
  const warnings = codesOf(readText('docs/warnings.md'), /^\| (`.*?) \|/gm);
  const refusals = ['rua', 'unpack', 'tlsrpt', 'aprf', 'ruf'].flatMap((name) =>
    codesOf(readText(`packages/${name}/src/errors.ts`).replaceAll(/'([a-z0-9_]+)'/g, '`$1`'), /^(.*)$/gm),
  );

  it('of a warning', () => {
    expect(warnings.length).toBeGreaterThan(150);
    expect(warnings.filter((code) => !hasExample(code))).toEqual([]);
  });

  it('of a refusal', () => {
    expect(refusals.length).toBeGreaterThan(40);
    expect(refusals.filter((code) => !hasExample(code)).toSorted()).toEqual(WITHOUT_EXAMPLE);
  });

  it('which would be missed if there were none', () => {
    expect(hasExample('no_such_code')).toBe(false);
  });
});

/** The names in backticks in the first group of every match, each once. */
function codesOf(text: string, lines: RegExp): string[] {
  const cells = [...text.matchAll(lines)].map(([, cell]) => cell!);
  return [...new Set(cells.flatMap((cell) => [...cell.matchAll(/`([a-z0-9_]+)`/g)].map(([, code]) => code!)))];
}
