import { senderEntries } from './sender-data.ts';

/** Returns slugs of the services whose name contains the words, in any case. */
export function servicesNamed(words: string): string[] {
  const sought = words.toLowerCase();
  return senderEntries.filter(({ name }) => name.toLowerCase().includes(sought)).map(({ slug }) => slug);
}
