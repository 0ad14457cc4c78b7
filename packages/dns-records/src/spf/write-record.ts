import type { SpfTerm } from './spf-tree.ts';
import { passesAnybody } from './open-terms.ts';

/** An address to authorise, and the term that decides on it now; undefined where none does. */
export interface Addition {
  text: string;
  before: SpfTerm | undefined;
}

/**
 * A record with terms, and the added ones each before the term that would exclude it, as the first match counts. `all`
 * or `redirect` stands after them, `~all` where there is neither or anybody passes, and other modifiers at the end,
 * where they belong. (RFC 7208, 4.6.2, 5.1 and 6)
 */
export function writeRecord(
  terms: readonly SpfTerm[],
  added: readonly Addition[],
  modifiers: readonly string[],
): string {
  const last = terms.filter(isEnd);
  const others = terms.filter((term) => !isEnd(term));
  const addedBefore = (place: SpfTerm) => added.filter(({ before }) => before === place);
  const addedLast = added.filter(({ before }) => !before || !others.includes(before));
  return [
    'v=spf1',
    ...others.flatMap((term) => [...addedBefore(term), term].map(({ text }) => text)),
    ...addedLast.map(({ text }) => text),
    ...(last.length > 0 ? last.map((term) => (passesAnybody(term) ? '~all' : term.text)) : ['~all']),
    ...modifiers,
  ].join(' ');
}

/** True for a term that says what those get whom no other term names. */
export function isEnd({ name }: SpfTerm): boolean {
  return name === 'all' || name === 'redirect';
}

/** The term for one address. */
export function networkTerm(address: string): string {
  return `${address.includes(':') ? 'ip6' : 'ip4'}:${address}`;
}

/** The modifiers that change nothing of who may send, such as `exp`. (RFC 7208, 6) */
export function modifiersIn(record: string): string[] {
  return record.split(' ').filter((term) => /^[a-z][\w.-]*=/i.test(term) && !/^(?:v|redirect)=/i.test(term));
}
