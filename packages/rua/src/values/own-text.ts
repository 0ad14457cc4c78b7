/**
 * The same text in memory of its own. A substring keeps the whole piece it was cut from alive, so a text that outlives
 * its record (in a cache, in a set of a report's addresses) must be copied.
 */
export function ownText(text: string): string {
  return Buffer.from(text).toString();
}
