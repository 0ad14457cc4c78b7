import { countOf, cutText, isJsonObject, storableText, textsField } from '@dmarc-ledger/vocabulary';
import type { Json, WarningList } from '@dmarc-ledger/vocabulary';
import { AprfError } from './errors.ts';
import { MAX_CATEGORIES, MAX_ROWS, MAX_SEGMENT_PARTS, MAX_TEXT } from './limits.ts';
import type { AprfEntry, AprfRow } from './report.ts';

const SEGMENT = { items: MAX_SEGMENT_PARTS, length: MAX_TEXT };

/** One row for each entry of the body. */
export function readBody(body: Json | undefined, warnings: WarningList): AprfRow[] {
  if (body === undefined || body === null) {
    warnings.add('body_missing');
    return [];
  }
  if (!Array.isArray(body)) warnings.add('list_expected', 'body');
  const items = Array.isArray(body) ? body : [body];
  if (items.length > MAX_ROWS) throw new AprfError('too_many_rows', `more than ${MAX_ROWS} rows`);
  return items.flatMap((item) => readRow(item, warnings) ?? []);
}

function readRow(item: Json, warnings: WarningList): AprfRow | undefined {
  if (!isJsonObject(item)) return void warnings.add('row_invalid');
  return {
    segment: textsField(item, 'segment', SEGMENT, warnings),
    classification: readEntries(item.get('classification'), 'classification', warnings),
    engagement: readEntries(item.get('engagement'), 'engagement', warnings),
  };
}

function readEntries(value: Json | undefined, name: string, warnings: WarningList): AprfEntry[] | null {
  if (value === undefined || value === null) return null;
  if (!isJsonObject(value)) {
    warnings.add('object_expected', name);
    return null;
  }
  const entries = [...value];
  if (entries.length > MAX_CATEGORIES) warnings.add('list_truncated', name);
  return entries.slice(0, MAX_CATEGORIES).flatMap(([word, json]) => readEntry(word, json, warnings) ?? []);
}

function readEntry(word: string, json: Json, warnings: WarningList): AprfEntry | undefined {
  const value = countOf(json, word, warnings);
  return value === undefined ? undefined : { category: cutText(storableText(word), MAX_TEXT), value };
}
