import { addDays, type Day } from '@dmarc-ledger/vocabulary';

/** The parts of a bar, from the bottom up: by class where it is known of what failed, else passed and failed. */
export const barParts = ['passed', 'failed', 'likely_forwarded', 'needs_review', 'suspicious'] as const;

export type BarPart = (typeof barParts)[number];

/** One day of a chart. The parts add up to its messages; one that is absent has none. */
export interface DayBar {
  day: Day;
  messages: number;
  parts: { readonly [part in BarPart]?: number };
}

/** The sums of a day; those of classes are absent where they are not known. */
interface DaySums {
  day: Day;
  messages: number;
  compliant: number;
  forwarded?: number;
  suspicious?: number;
}

/** A bar for each of the last days, today last; a day without mail has an empty one. */
export function dayBars(sums: readonly DaySums[], today: Day, days: number): DayBar[] {
  const byDay = new Map(sums.map((sum) => [sum.day, sum]));
  return Array.from({ length: days }, (_, index) => {
    const day = addDays(today, index + 1 - days);
    const sum = byDay.get(day);
    return { day, messages: sum?.messages ?? 0, parts: sum ? partsOf(sum) : {} };
  });
}

/** What failed and is in no other class needs review. */
function partsOf({ messages, compliant: passed, forwarded, suspicious = 0 }: DaySums): DayBar['parts'] {
  if (forwarded === undefined) return { passed, failed: messages - passed };
  const review = messages - passed - forwarded - suspicious;
  return { passed, likely_forwarded: forwarded, needs_review: review, suspicious };
}

/** The parts that bars have, from the bottom up, each with its sum. */
export function sumParts(days: readonly DayBar[]): { part: BarPart; messages: number }[] {
  return barParts
    .map((part) => ({ part, messages: days.reduce((sum, { parts }) => sum + (parts[part] ?? 0), 0) }))
    .filter(({ messages }) => messages > 0);
}
