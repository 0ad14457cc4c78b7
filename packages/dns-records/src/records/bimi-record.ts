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
  if (evidence === undefined) return { reason: 'a is no https URL' };
  if (l === '') return { logo: null, evidence };
  const logo = readUrl(l);
  return logo ? { logo, evidence } : { reason: 'l is no https URL' };
}

/** Null for an empty text, undefined for what is no https URL. */
function readUrl(text: string): URL | null | undefined {
  if (text === '') return null;
  const url = URL.parse(text);
  return url?.protocol === 'https:' ? url : undefined;
}
