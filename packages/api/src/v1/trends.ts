import { findDomainDays, findDomainId, findOrgDays } from '@dmarc-ledger/queries';
import { addDays, type Day } from '@dmarc-ledger/vocabulary';
import { z } from 'zod';
import { defineRoute, type RequestNeeds } from '../define-route.ts';
import { days } from '../parameters/lenient.ts';
import { domainFilter } from '../parameters/strict.ts';
import { toTrendPoint, TrendPoint, type DayFigures } from './trend-point.ts';

export const trends = defineRoute({
  path: '/trends',
  operationId: 'getTrends',
  permission: 'analytics:read',
  tag: 'Analytics',
  summary: 'One point for each of the last days, oldest first, today last.',
  description: 'Days without reports are there with zeros. Reports dated after today are not shown.',
  query: { domain: domainFilter, days: days({ max: 365, standard: 30 }) },
  answer: z.object({
    days: z.int().min(1).max(365).describe('Window applied.'),
    points: z.array(TrendPoint).describe('Oldest first, one for each day.'),
  }),
  errors: { 400: '`domain` is not a valid domain name.' },
  example: {
    days: 1,
    points: [
      {
        date: '2026-03-01',
        reports: 3,
        total_messages: 160,
        compliant_messages: 125,
        failed_messages: 35,
        compliance_rate: 78.13,
      },
    ],
  },
  async handle(needs, { domain, days: length }) {
    const first = addDays(needs.today, 1 - length);
    const held = new Map((await findDays(needs, domain, first)).map((figures) => [figures.day, figures]));
    const window = Array.from({ length }, (_, i) => addDays(first, i));
    const points = window.map((day) => toTrendPoint(held.get(day) ?? { day, reports: 0, messages: 0, compliant: 0 }));
    return { days: length, points };
  },
});

async function findDays(
  { db, caller: { orgId }, today }: RequestNeeds,
  domain: string | undefined,
  from: Day,
): Promise<DayFigures[]> {
  if (domain === undefined) return await findOrgDays(db, orgId, { from, to: today });
  const domainId = await findDomainId(db, orgId, domain);
  return domainId === undefined ? [] : await findDomainDays(db, orgId, domainId, { from, to: today });
}
