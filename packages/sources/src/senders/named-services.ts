import type { Sender } from './sender.ts';
import { senderEntries } from './sender-data.ts';

const bySlug = new Map<string, Sender>(senderEntries.map((entry) => [entry.slug, entry]));

/** Returns slugs of the services whose name contains the words, in any case. */
export function servicesNamed(words: string): string[] {
  const sought = words.toLowerCase();
  return senderEntries.filter(({ name }) => name.toLowerCase().includes(sought)).map(({ slug }) => slug);
}

/** Returns the service of a slug; undefined for one that this release does not know. */
export function serviceOf(slug: string): Sender | undefined {
  return bySlug.get(slug);
}
