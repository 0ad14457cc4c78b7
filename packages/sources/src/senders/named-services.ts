import { senderEntries } from './sender-data.ts';

/** Slugs of the services whose name has the words in it, in whatever case. */
export function servicesNamed(words: string): string[] {
  const sought = words.toLowerCase();
  return senderEntries.filter(({ name }) => name.toLowerCase().includes(sought)).map(({ slug }) => slug);
}
