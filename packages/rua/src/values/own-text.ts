/**
 * The same text in memory of its own. What is cut out of a document keeps all of the piece it was cut from alive, so
 * what outlives its record (in a cache, in a set of a report's addresses) has to be copied out.
 */
export function ownText(text: string): string {
  return Buffer.from(text).toString();
}
