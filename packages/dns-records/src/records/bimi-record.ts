import { readTagList } from './tag-list.ts';

export interface BimiRecord {
  /** Where the logo is; null: the domain declines. */
  logo: URL | null;
  /** Where its certificate is; null without one. */
  evidence: URL | null;
}

/** Reads a record strictly, as receivers repair nothing in it. (BIMI draft, 4.2) */
export function readBimiRecord(text: string): BimiRecord | { reason: string } {
  const { tags, repeated } = readTagList(text);
  if (repeated.length > 0) return { reason: `${repeated[0]} appears twice` };
  const l = tags.get('l');
  if (l === undefined) return { reason: 'l is missing' };
  const evidence = readUrl(tags.get('a') ?? '');
  if (typeof evidence === 'string') return { reason: `a ${evidence}` };
  const logo = readUrl(l);
  return typeof logo === 'string' ? { reason: `l ${logo}` } : { logo, evidence };
}

/** Returns null for an empty text, and the reason for a URL that cannot be fetched. */
function readUrl(text: string): URL | null | string {
  if (text === '') return null;
  const url = URL.parse(text);
  if (url?.protocol !== 'https:') return 'is no https URL';
  if (url.port !== '') return 'names a port';
  return url.username === '' && url.password === '' ? url : 'names a user';
}
