import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

const named = process.env['CORPUS_DIRECTORY'];
/** Beside the checkout, not in it: its licences differ from file to file. `CORPUS_DIRECTORY` names another place. */
export const outside = named ? pathToFileURL(`${named}/`) : new URL('../../../../shared/corpus/', import.meta.url);
const oracle = new URL('expected.json', outside);

/** A report of the external corpus: its path, and its expected reading. */
export interface OutsideReport<Expected> {
  path: string;
  expected: Expected;
}

/**
 * Real reports of a kind (`rua`, `tlsrpt`, `ruf`, `aprf`) by name, from a larger corpus outside of the repository.
 * Null, with a printed notice, where it is missing: then only the tests of the repository's own pairs count.
 */
export function outsideReports<Expected>(kind: string): { [file: string]: OutsideReport<Expected> } | null {
  if (!existsSync(oracle)) return notHere(kind, outside);
  const all: { [file: string]: Expected } = JSON.parse(readFileSync(oracle, 'utf8'));
  const ofKind = Object.entries(all).filter(([file]) => file.startsWith(`${kind}/`));
  if (ofKind.length === 0) throw new Error(`The corpus at ${outside.pathname} has no ${kind}.`);
  const pathOf = (file: string) => fileURLToPath(new URL(file.split('/').map(encodeURIComponent).join('/'), outside));
  return Object.fromEntries(ofKind.map(([file, expected]) => [file, { path: pathOf(file), expected }]));
}

/** Prints that a part of the external corpus is missing. */
export function notHere(what: string, place: URL): null {
  process.stderr.write(
    `NOT HERE: ${what} of the larger corpus, ${place.pathname}. Only the repository's own is read.\n`,
  );
  return null;
}
