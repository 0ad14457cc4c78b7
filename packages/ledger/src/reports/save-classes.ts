import type { Classification } from '@dmarc-ledger/dmarc';
import type { Session } from '@dmarc-ledger/schema';
import {
  addToDayClasses,
  addToSourceDomainClasses,
  addToSourceDomainDayClasses,
  addToSourceTotalClasses,
  noteChange,
} from '../rollups/class-statements.ts';
import type { RecordKey } from './judge-records.ts';
import { changeClasses } from './judge-statements.ts';

/**
 * Sets the class of records and updates every rollup by the change, in one transaction. The records' reports must be
 * locked (`holdVersions`): else another copy may have replaced the records.
 */
export async function saveClasses(
  session: Session,
  orgId: string,
  judged: readonly (RecordKey & Classification)[],
): Promise<void> {
  if (judged.length === 0) return;
  const rows = judged.map(({ reportId, position, day, class: named, isProved }) => ({
    report_id: reportId,
    position,
    day,
    class: named,
    proved: isProved,
  }));
  const moved = await session.run(changeClasses, [orgId, JSON.stringify(rows)]);
  if (moved.length === 0) return;
  const deltas = JSON.stringify(moved);
  await session.run(addToSourceDomainDayClasses, [orgId, deltas]);
  await session.run(addToSourceDomainClasses, [orgId, deltas]);
  await session.run(addToSourceTotalClasses, [orgId, deltas]);
  await session.run(noteChange, [orgId]);
  await session.run(addToDayClasses, [orgId, deltas]);
}
