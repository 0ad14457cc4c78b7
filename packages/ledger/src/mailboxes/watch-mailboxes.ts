import type { Db, MailboxState } from '@dmarc-ledger/schema';
import { sql } from 'kysely';

/** A mailbox that needs a person. */
export interface AilingMailbox {
  orgId: string;
  mailboxId: string;
  /** `user at host, folder` */
  name: string;
  ailment: 'failing' | 'unserved' | 'held' | 'silent';
  state: MailboxState;
  fault: string | null;
  since: Date;
}

export interface Endurance {
  /** Faults that pass by themselves within this are nobody's business. */
  failingMinutes: number;
  /** Most reporters send daily. */
  silentHours: number;
}

/**
 * Mailboxes that are refused or fail for a while, that nobody has looked at, whose mail waits for room, or where nothing
 * arrives any more, though it did. Judged by what is stored and the database's clock, so that it is noticed too when no ingester runs.
 */
export async function findAilingMailboxes(
  db: Db,
  { failingMinutes, silentHours }: Endurance,
): Promise<AilingMailbox[]> {
  const failing = sql`interval '1 minute' * ${failingMinutes}`;
  const silent = sql`interval '1 hour' * ${silentHours}`;
  const { rows } = await sql<AilingMailbox>`
    select * from (
      select m.org_id as "orgId", m.id as "mailboxId", p.state, p.fault,
        m.username || ' at ' || m.host || case when m.folder = 'INBOX' then '' else ', ' || m.folder end as name,
        case
          when p.state = 'stopped' or p.failing_since < now() - ${failing} then 'failing'
          when p.failing_since is null and coalesce(p.succeeded_at, m.created_at) < now() - 2 * ${failing} then 'unserved'
          when p.state = 'held' and p.oldest_waiting_at < now() - 4 * ${failing} then 'held'
          when greatest(p.arrived_at, m.created_at) < now() - ${silent} and p.arrived_at is not null then 'silent'
        end as ailment,
        coalesce(p.failing_since, p.oldest_waiting_at, case when p.arrived_at < now() - ${silent} then p.arrived_at end,
          p.succeeded_at, m.created_at) as since
      from mailbox m join mailbox_progress p on p.org_id = m.org_id and p.mailbox_id = m.id
      where m.removed_at is null
    ) mailboxes where ailment is not null`.execute(db);
  return rows;
}
