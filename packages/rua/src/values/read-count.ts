import { PLAUSIBLE_COUNT } from '../limits.ts';
import type { Warn } from './warn.ts';

const COUNT = /^(\+?)(\d+)(\.0*)?$/;

/** Messages of a row: a whole number in ASCII digits. Undefined, with the reason warned, when the volume is unknown. */
export function readCount(raw: string | null, warn: Warn): number | undefined {
  const text = raw?.trim() ?? '';
  if (text === '') return void warn('count_missing');
  if (/^-\s*\d/.test(text)) return void warn('count_negative');
  const match = COUNT.exec(text);
  if (!match) return void warn('count_invalid');
  const count = Number(match[2]);
  if (!Number.isSafeInteger(count)) return void warn('count_huge');
  if (match[1] || match[3] !== undefined) warn('count_invalid');
  if (count > PLAUSIBLE_COUNT) warn('count_huge');
  return count;
}
