import { findFirstDay, findHistories } from '@dmarc-ledger/facts';
import { findSnapshots } from '@dmarc-ledger/queries';
import { gradeOf, SnapshotRange, type Snapshot } from '@dmarc-ledger/scoring';
import { addDays, codesOf, grades } from '@dmarc-ledger/vocabulary';
import { z } from 'zod';
import { defineRoute, type RequestNeeds } from '../define-route.ts';
import { days } from '../parameters/lenient.ts';
import { count, day, percentage } from '../bodies/fields.ts';

const HistoryPoint = z
  .object({
    snapshot_date: day('UTC day.').nullable(),
    score: z.number().min(0).max(100).describe('Score of the organization as that day closed; of today, as it is now.'),
    grade: z.enum(codesOf(grades)).describe('Grade of that score.'),
    compliance_rate: percentage('Share of messages that passed DMARC.'),
    spf_rate: percentage('Share with aligned SPF.'),
    dkim_rate: percentage('Share with aligned DKIM.'),
    total_messages: count('Messages in the scoring windows of that day.'),
  })
  .meta({ id: 'HistoryPoint' });

export const complianceHistory = defineRoute({
  path: '/compliance-score/history',
  operationId: 'getComplianceScoreHistory',
  permission: 'analytics:read',
  tag: 'Analytics',
  summary: 'The score of the organization on each of the last days, oldest first, today last.',
  description:
    'From the day of the first report on. Of past days the policies are those of the reports. A day takes late ' +
    'reports in until four days after it began.',
  query: { days: days({ max: 365, standard: 30 }) },
  answer: z.object({
    days: z.int().min(1).max(365).describe('Window applied.'),
    points: z.array(HistoryPoint).describe('Oldest first, from the day of the first report on.'),
  }),
  example: {
    days: 1,
    points: [
      {
        snapshot_date: '2026-03-01',
        score: 76.88,
        grade: 'C',
        compliance_rate: 78.13,
        spf_rate: 75,
        dkim_rate: 78.13,
        total_messages: 160,
      },
    ],
  },
  async handle(needs, { days: length }) {
    const { db, caller, today } = needs;
    const first = addDays(today, 1 - length);
    const held = await findSnapshots(db, caller.orgId, first, addDays(today, -1));
    const last = held.at(-1);
    const live = await computeLive(needs, last ? addDays(last.day, 1) : first);
    return { days: length, points: [...held, ...live].map(toPoint) };
  },
});

/** Computes today, and the preceding days without a snapshot. */
async function computeLive({ db, caller: { orgId }, today }: RequestNeeds, from: string): Promise<Snapshot[]> {
  const firstReportDay = await findFirstDay(db, orgId, today);
  if (firstReportDay === undefined) return [];
  const range = new SnapshotRange(from > firstReportDay ? from : firstReportDay, today);
  for await (const history of findHistories(db, orgId, range.from, today)) range.add(history);
  return [...range.snapshots()];
}

function toPoint({ day, score, compliance, spf, dkim, messages }: Omit<Snapshot, 'policy'>) {
  return {
    snapshot_date: day,
    score,
    grade: gradeOf(score, true),
    compliance_rate: compliance,
    spf_rate: spf,
    dkim_rate: dkim,
    total_messages: messages,
  };
}
