import { readTagList } from './tag-list.ts';

export interface BimiRecord {
  /** Where the logo is; null: the domain declines. */
  logo: URL | null;
  /** Where its certificate is; null without one. */
  evidence: URL | null;
}

/** Receivers repair nothing in such a record. (BIMI draft, 4.2) */
export function readBimiRecord(text: string): BimiRecord | { reason: string } {
  const { tags, repeated } = readTagList(text);
  if (repeated.length > 0) return { reason: `${repeated[0]} is there twice` };
  const l = tags.get('l');
  if (l === undefined) return { reason: 'l is missing' };
  const evidence = readUrl(tags.get('a') ?? '');
  if (typeof evidence === 'string') return { reason: `a ${evidence}` };
  const logo = readUrl(l);
  return typeof logo === 'string' ? { reason: `l ${logo}` } : { logo, evidence };
}

/** Null for an empty text; for what cannot be fetched, why not. */
function readUrl(text: string): URL | null | string {
  if (text === '') return null;
  const url = URL.parse(text);
  if (url?.protocol !== 'https:') return 'is no https URL';
  if (url.port !== '') return 'names a port';
  return url.username === '' && url.password === '' ? url : 'names a user';
}
