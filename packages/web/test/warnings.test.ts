import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { warningTexts } from '../src/texts/warnings.ts';

const PAGE = join(import.meta.dirname, '..', '..', '..', 'docs', 'warnings.md');
/** The sections about reports that have no page of their own. */
const OTHERS = /^(?:JSON|TLS|Placement|Failure)/;

/** The rows of the page about aggregate reports and what carries them: each code with what it means, as plain text. */
function documented(): { [code: string]: string } {
  const sections = readFileSync(PAGE, 'utf8').split(/^## /m);
  const rows = sections.filter((section) => !OTHERS.test(section)).flatMap((section) => section.split('\n'));
  return Object.fromEntries(
    rows.flatMap((row) => {
      const [, codes, text] = /^\| (`.*?`(?:, `.*?`)*) \| (.*) \|$/.exec(row) ?? [];
      if (codes === undefined || text === undefined) return [];
      const plain = text.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll('`', '');
      return [...codes.matchAll(/`([a-z0-9_]+)`/g)].map(([, code = '']) => [code, plain]);
    }),
  );
}

it('explains each warning about a report as the documentation does', () => {
  expect(Object.keys(documented()).length).toBeGreaterThan(100);
  expect(warningTexts).toEqual(documented());
});
