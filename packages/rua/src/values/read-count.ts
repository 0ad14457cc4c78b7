import { ReportError } from '../errors.ts';
import { MAX_COUNT } from '../limits.ts';
import type { Warn } from './warn.ts';

const COUNT = /^(\+?)(\d+)(\.0*)?$/;

/**
 * Messages of a row: a whole number in ASCII digits. Undefined, with the reason warned, when the volume is unknown.
 * Throws `count_implausible` above what any domain receives: a forged count must not get into a sum.
 * (rules, counts/record-counts)
 */
export function readCount(raw: string | null, warn: Warn): number | undefined {
  const text = raw?.trim() ?? '';
  if (text === '') return void warn('count_missing');
  if (/^-\s*\d/.test(text)) return void warn('count_negative');
  const match = COUNT.exec(text);
  if (!match) return void warn('count_invalid');
  const count = Number(match[2]);
  if (count > MAX_COUNT) throw new ReportError('count_implausible', `a record counts more than ${MAX_COUNT} messages`);
  if (match[1] || match[3] !== undefined) warn('count_invalid');
  return count;
}
