import type { Db } from '@dmarc-ledger/schema';
import type { Day } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';

/** During a correction, snapshots wait this long for further corrections. */
const QUIET_SECONDS = 60;

/**
 * Has the snapshots from this day on computed again, final or not, because the sums they were computed from were wrong
 * and have been corrected.
 */
export async function reopenSnapshots(db: Db, orgId: string, from: Day): Promise<void> {
  await sql`
    update org_total set snapshot_from = least(snapshot_from, ${from}::date), snapshot_marks = snapshot_marks + 1,
      snapshots_due_at = ledger_now() + make_interval(secs => ${QUIET_SECONDS})
    where org_id = ${orgId} and ${from}::date < (ledger_now() at time zone 'utc')::date`.execute(db);
}
