import type { Session, Statement } from '@dmarc-ledger/schema';

/** Details in one transaction. */
const DETAILS = 5_000;
/** The use of a detail is noted once a day, and the clocks of processes differ. */
const MARGIN = '3 days';

/**
 * A report is received before it is stored, and then the use of its details is noted. So no remaining report has a
 * detail that was last used well before the oldest of them was received.
 */
const dropDetails: Statement = {
  name: 'drop-details',
  text: `
    with bound as (
      select least($2::timestamptz, (select min(received_at) from report
        where org_id = $1)) - interval '${MARGIN}' as last
    ), unused as (
      select id from record_detail where org_id = $1 and used_at < (select last from bound)
      order by used_at limit ${DETAILS} for update skip locked
    )
    delete from record_detail d using unused u where d.org_id = $1 and d.id = u.id returning d.id`,
};

/**
 * Removes some of the details that no report uses since those received before the instant were removed. Returns how
 * many. May run beside intake: one that a transaction stores records with is not removed, or is added again.
 */
export async function removeDetails(session: Session, orgId: string, before: Date): Promise<number> {
  return (await session.run(dropDetails, [orgId, before])).length;
}
