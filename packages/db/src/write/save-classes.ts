import type { RecordClass } from '@dmarc-ledger/dmarc';
import type { QueryResultRow } from 'pg';
import type { Session } from '../transaction.ts';
import type { RecordKey } from './judge-records.ts';
import {
  addToDayClasses,
  addToSourceDomainClasses,
  addToSourceDomainDayClasses,
  addToSourceTotalClasses,
  changeClasses,
  noteChange,
} from './judge-statements.ts';

/** Gives records their class, and moves every rollup by the change, in one transaction. */
export async function saveClasses(
  session: Session,
  orgId: string,
  judged: readonly (RecordKey & { class: RecordClass })[],
): Promise<void> {
  const moved = await saveSourceClasses(session, orgId, judged);
  if (moved.length === 0) return;
  await session.run(addToDayClasses, [orgId, JSON.stringify(moved)]);
  await session.run(noteChange, [orgId]);
}

/** By how many messages a change of class moves a sum. */
interface ClassMove {
  source_ip: string;
  day: string;
  domain_id: string;
  forwarded: number;
  suspicious: number;
  needs_review: number;
}

/** Gives records their class (null takes it back), and moves the rollups of sources. Those of days are left to do, last. */
export async function saveSourceClasses(
  session: Session,
  orgId: string,
  judged: readonly (RecordKey & { class: RecordClass | null })[],
): Promise<ClassMove[]> {
  if (judged.length === 0) return [];
  const rows = judged.map(({ reportId, position, day, class: named }) => ({
    report_id: reportId,
    position,
    day,
    class: named,
  }));
  const moved = await session.run<ClassMove & QueryResultRow>(changeClasses, [orgId, JSON.stringify(rows)]);
  if (moved.length === 0) return moved;
  const deltas = JSON.stringify(moved);
  await session.run(addToSourceDomainDayClasses, [orgId, deltas]);
  await session.run(addToSourceDomainClasses, [orgId, deltas]);
  await session.run(addToSourceTotalClasses, [orgId, deltas]);
  return moved;
}
