import type { Db } from '@dmarc-ledger/schema';
import { sql } from 'kysely';

/** The age of the oldest unfinished work, in seconds; null if there is none. */
export interface WaitingWork {
  delivery: number | null;
  announcement: number | null;
  rollup: number | null;
  quarantined: number;
  suspendedZones: number;
}

export async function inspectWork(db: Db): Promise<WaitingWork> {
  const { rows } = await sql<WaitingWork>`
    select
      (select extract(epoch from now() - min(received_at))::float8 from raw_message
        where state in ('received', 'processing') and held_until is null) as delivery,
      (select extract(epoch from now() - min(created_at))::float8 from outbox) as announcement,
      (select extract(epoch from now() - min(since))::float8 from rollup_dirty) as rollup,
      (select count(*) from raw_message where state = 'quarantined') as quarantined,
      (select count(*) from blocklist_zone where health ->> 'state' = 'suspended') as "suspendedZones"`.execute(db);
  return rows[0]!;
}
