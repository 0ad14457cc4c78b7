const CONTROLS = /[^\P{Cc}\t\n\r]/gu;

/** Makes untrusted text storable in PostgreSQL and JSON: no C0 controls but tab and line ends, no lone surrogate. */
export function storableText(text: string): string {
  return text.replace(CONTROLS, '').toWellFormed();
}

/**
 * The same for a text that is compared or parsed: each such character becomes U+FFFD, as removing it would change the
 * text.
 */
export function markedText(text: string): string {
  return text.replace(CONTROLS, '\uFFFD').toWellFormed();
}

/** At most `length` characters, never half a surrogate pair. */
export function cutText(text: string, length: number): string {
  return text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '');
}

/**
 * Makes untrusted text safe for one line of a terminal or log: no control or escape characters, at most `length`
 * characters.
 */
export function printableText(text: string, length = 200): string {
  const inert = text.toWellFormed().replace(/[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]+/gu, ' ');
  return inert.length > length ? `${inert.slice(0, length - 1)}…` : inert;
}
