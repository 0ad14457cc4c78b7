/** The tables that grow fastest. Their days are in everything unique, so each may be partitioned by month. */
export const monthlyTables = ['stored_record', 'source_domain_day'] as const;

/** The months that have a partition of their own before they begin. */
const AHEAD = 2;

/** A partition of one month: its name, its first day, and the first day of the next month. */
export interface Month {
  name: string;
  from: string;
  to: string;
}

/** Returns the month of a day and those after it for which partitions are made ahead. */
export function monthsFrom(table: string, today: string): Month[] {
  return Array.from({ length: AHEAD + 1 }, (_, i) => {
    const [from, to] = [firstOf(today, i), firstOf(today, i + 1)];
    return { name: `${table}_${from.slice(0, 7).replace('-', '_')}`, from, to };
  });
}

/** Returns the first day of the month that is so many months after the one of a day. */
export function firstOf(day: string, months = 0): string {
  const date = new Date(`${day.slice(0, 7)}-01T00:00:00Z`);
  date.setUTCMonth(date.getUTCMonth() + months);
  return date.toISOString().slice(0, 10);
}
