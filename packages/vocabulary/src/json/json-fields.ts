import { cutText, printableText, storableText } from '../text.ts';
import type { WarningList } from '../warning.ts';
import type { Json, JsonObject } from './parse-json.ts';

/** A larger count in a row is kept with a warning. */
const PLAUSIBLE_COUNT = 1_000_000_000;
const WHOLE = /^\d+$/;

export function isJsonObject(value: Json | undefined): value is JsonObject {
  return value instanceof Map;
}

/** Reads a text field as it can be stored, cut to its limit; a number is read as its digits. Null if absent. */
export function textField(object: JsonObject, name: string, limit: number, warnings: WarningList): string | null {
  return textOf(object.get(name), name, limit, warnings);
}

export function textOf(value: Json | undefined, name: string, limit: number, warnings: WarningList): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string' && typeof value !== 'number') {
    warnings.add('text_invalid', name);
    return null;
  }
  const text = storableText(String(value)).trim();
  if (text.length > limit) warnings.add('text_truncated', name);
  return cutText(text, limit) || null;
}

/** Reads a list of texts; a single text is a list of one. */
export function textsField(
  object: JsonObject,
  name: string,
  limits: { items: number; length: number },
  warnings: WarningList,
): string[] {
  const value = object.get(name);
  if (value === undefined || value === null) return [];
  const items = Array.isArray(value) ? value : [value];
  if (items.length > limits.items) warnings.add('list_truncated', name);
  return items.slice(0, limits.items).flatMap((item) => textOf(item, name, limits.length, warnings) ?? []);
}

/** Reads a count. Undefined, with a warning, if it is invalid. */
export function countOf(value: Json | undefined, name: string, warnings: WarningList): number | undefined {
  const count = wholeOf(value, 'count', name, warnings);
  if (count !== undefined && count > PLAUSIBLE_COUNT) warnings.add('count_huge', printableText(name, 80));
  return count;
}

/** Reads a whole number, possibly written as text; the warning's code begins with the name of the number. */
export function wholeOf(
  value: Json | undefined,
  kind: string,
  name: string,
  warnings: WarningList,
): number | undefined {
  const warn = (fault: string) => warnings.add(`${kind}_${fault}`, printableText(name, 80));
  if (value === undefined || value === null) return void warn('missing');
  const isDigits = typeof value === 'string' && WHOLE.test(value.trim());
  if (isDigits) warn('as_text');
  const number = isDigits ? Number(value) : value;
  if (typeof number !== 'number') return void warn('invalid');
  if (number < 0) return void warn('negative');
  if (number > Number.MAX_SAFE_INTEGER) return void warn('huge');
  return Number.isInteger(number) ? Math.abs(number) : void warn('invalid');
}
