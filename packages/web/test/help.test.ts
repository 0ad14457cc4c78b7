import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import MiniSearch from 'minisearch';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { searchOptions, type Section } from '../browser/search-options.ts';
import { buildHelp } from '../help/build-help.ts';
import { readHelpPages } from '../help/help-pages.ts';
import { findHelp, type HelpFile } from '../src/server/help-files.ts';
import { helpOf, terms } from '../src/texts/terms.ts';

/** What the help leads to beside itself: the pages. */
const PAGES = new Set(['/']);

const holder = mkdtempSync(join(tmpdir(), 'dmarc-ledger-help-'));
const folder = join(holder, 'help');
const files = new Map<string, HelpFile>();
const documents = new Map<string, string>();

beforeAll(async () => {
  await buildHelp(folder);
  for (const [address, open] of await findHelp(folder)) {
    const file = await open();
    files.set(address, file);
    if (file.type.startsWith('text/html')) documents.set(address, file.body.toString());
  }
});
afterAll(() => rmSync(holder, { recursive: true }));

/** Every address that a document names, with the attribute that names it. */
function addressesIn(html: string): { attribute: string; address: string }[] {
  const named = [...html.matchAll(/ (href|src|action|data-search-index)="([^"]*)"/g)];
  return named.map(([, attribute = '', address = '']) => ({ attribute, address }));
}

/** Whether an address is a file of the help and, if it names a part, whether the file has it. */
function isThere(from: string, address: string): boolean {
  const [path = '', anchor] = address.split('#');
  const file = path === '' ? from : path;
  if (anchor === undefined) return files.has(file) || PAGES.has(file);
  return documents.get(file)?.includes(` id="${anchor}"`) ?? false;
}

describe('the built help', () => {
  it('has a page for every Markdown file of the documentation', () => {
    const missing = readHelpPages().filter(({ address }) => !documents.has(address));
    expect(missing).toEqual([]);
    expect([...documents.keys()]).toEqual(
      expect.arrayContaining(['/help', '/help/limits', '/help/rules', '/help/rules/scores', '/help/changelog']),
    );
  });

  it('has no link, anchor, image or script that leads nowhere', () => {
    const broken = [...documents].flatMap(([from, html]) =>
      addressesIn(html)
        .filter(({ address }) => !/^(?:https?|mailto|data):/.test(address) && !isThere(from, address))
        .map(({ address }) => `${from} -> ${address}`),
    );
    expect(broken).toEqual([]);
    expect([...documents.values()].flatMap(addressesIn).length).toBeGreaterThan(3_000);
  });

  it('loads nothing from elsewhere, and has nothing inline that the Content-Security-Policy would refuse', () => {
    for (const [address, html] of documents) {
      const loaded = html.match(/<(?:script|link|img|iframe|source|video)\b[^>]*>/g) ?? [];
      expect({ address, outside: loaded.filter((tag) => /"(?:https?:)?\/\//.test(tag)) }).toEqual({
        address,
        outside: [],
      });
      const tags = html.match(/<[a-z][^>]*>/gi) ?? [];
      expect({ address, inline: tags.filter((tag) => / (?:style|on[a-z]+)=|^<style/i.test(tag)) }).toEqual({
        address,
        inline: [],
      });
      expect(html).not.toMatch(/<script(?![^>]* src=)/);
    }
  });

  it('shows a link to a source file as text that names the file', () => {
    const html = documents.get('/help/rules/alignment') ?? '';
    expect(html).toContain('<span title="packages/vocabulary/test/words.test.ts">words</span>');
    expect([...documents.values()].join('')).not.toMatch(/href="[^"]*\.(?:ts|json|md)"/);
  });

  it.each([
    ['weekly mail digest', '/help/digest'],
    ['DATABASE_URL', '/help/configuration'],
    ['policy_upgrade_ready', '/help/events'],
    ['organizational domain', '/help/rules/alignment'],
  ])('is found by its search: %s', (words, page) => {
    const index = [...files.keys()].find((address) => /\/search\.[0-9a-f]{8}\.json$/.test(address)) ?? '';
    const search = MiniSearch.loadJSON<Section>(String(files.get(index)?.body), searchOptions);
    const found = search.search(words).map(({ id }) => String(id));
    expect(found.slice(0, 10).map((address) => address.split('#')[0])).toContain(page);
    expect(found.filter((address) => !isThere('', address))).toEqual([]);
  });

  it('has no files where it was not built', async () => {
    expect((await findHelp(join(holder, 'nothing'))).size).toBe(0);
  });

  it('is not built again when nothing has changed', async () => {
    const before = readFileSync(join(folder, 'index.html'), 'utf8');
    rmSync(join(folder, 'index.html'));
    await buildHelp(folder);
    await expect(async () => readFileSync(join(folder, 'index.html'))).rejects.toThrow('ENOENT');
    rmSync(join(folder, '.fingerprint'));
    await buildHelp(folder);
    expect(readFileSync(join(folder, 'index.html'), 'utf8')).toBe(before);
  });
});

it.each(Object.values(terms).filter(({ source }) => source.startsWith('docs/')))(
  'the explanation of “$title” leads to a page of the help',
  ({ source }) => expect([...documents.keys()]).toContain(helpOf(source)),
);
