import { addDays, type Day } from '@dmarc-ledger/vocabulary';

/** One day of a chart. What neither passed nor was forwarded failed. */
export interface DayBar {
  day: Day;
  messages: number;
  passed: number;
  /** Failed, and was judged ordinary forwarding. */
  forwarded: number;
}

/** The stored sums of a day. */
interface DaySums {
  day: Day;
  messages: number;
  compliant: number;
  forwarded: number;
}

/** A bar for each of the last days, today last; a day without mail has an empty one. */
export function dayBars(sums: readonly DaySums[], today: Day, days: number): DayBar[] {
  const byDay = new Map(sums.map((sum) => [sum.day, sum]));
  return Array.from({ length: days }, (_, index) => {
    const day = addDays(today, index + 1 - days);
    const { messages = 0, compliant = 0, forwarded = 0 } = byDay.get(day) ?? {};
    return { day, messages, passed: compliant, forwarded };
  });
}
