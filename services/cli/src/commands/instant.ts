import { isDay } from '@dmarc-ledger/vocabulary';
import { CliError } from '../errors.ts';

const INSTANT = /^(\d{4}-\d{2}-\d{2})(?:T[\d:.]+(?:Z|[+-]\d{2}:\d{2}))?$/;

/** Reads a day, which is its first instant in UTC, or an instant with its offset. */
export function readInstant(text: string): Date {
  const [, day = ''] = INSTANT.exec(text) ?? [];
  const instant = new Date(isDay(day) ? text : Number.NaN);
  if (Number.isNaN(instant.getTime()))
    throw new CliError('usage', `${text} is not an instant; write 2026-01-31 or 2026-01-31T12:00:00Z.`);
  return instant;
}

/** Reads an instant that is still to come. */
export function readFutureInstant(text: string): Date {
  const instant = readInstant(text);
  if (instant.getTime() <= Date.now()) throw new CliError('usage', `${text} is past; give an instant to come.`);
  return instant;
}
