import { rate, type Day } from '@dmarc-ledger/vocabulary';
import { z } from 'zod';
import { count, day, percentage } from '../bodies/fields.ts';

export const TrendPoint = z
  .object({
    date: day('Calendar day that the reports count on.').nullable(),
    reports: count('Reports of the day.'),
    total_messages: count('Messages accounted for.'),
    compliant_messages: count('Of those, the ones that passed DMARC.'),
    failed_messages: count('Of those, the ones that failed DMARC.'),
    compliance_rate: percentage('Share of messages that passed DMARC.'),
  })
  .meta({ id: 'TrendPoint' });

export interface DayFigures {
  day: Day;
  reports: number;
  messages: number;
  compliant: number;
}

export function toTrendPoint({ day: date, reports, messages, compliant }: DayFigures) {
  return {
    date,
    reports,
    total_messages: messages,
    compliant_messages: compliant,
    failed_messages: messages - compliant,
    compliance_rate: rate(compliant, messages),
  };
}
