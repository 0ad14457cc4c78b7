import { findDateRange } from '@dmarc-ledger/queries';
import { z } from 'zod';
import { defineRoute } from '../define-route.ts';
import { day } from '../bodies/fields.ts';

export const reportDateRange = defineRoute({
  path: '/reports/date-range',
  operationId: 'getReportDateRange',
  permission: 'report:read',
  tag: 'Reports',
  summary: 'The days that the reports held reach from and to.',
  description: 'Given as `from` and `to` of `/reports` they return every report that has a window.',
  answer: z.object({
    earliest: day('Day on which the earliest window begins.').nullable(),
    latest: day('Day on which the latest window ends.').nullable(),
  }),
  example: { earliest: '2025-03-01', latest: '2026-03-01' },
  async handle({ db, caller }) {
    return await findDateRange(db, caller.orgId);
  },
});
