import type { Db, MailboxState } from '@dmarc-ledger/schema';
import { sql } from 'kysely';

/** A mailbox that needs attention. */
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
  /** Failures shorter than this usually pass by themselves and are ignored. */
  failingMinutes: number;
  /** Most reporters send daily. */
  silentHours: number;
}

/**
 * Returns mailboxes that are rejected or fail for a while, that no process reads, whose mail waits for storage, or
 * where no mail arrives any longer. Uses stored state and the database's clock, so the result is correct even when no
 * ingester runs.
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
          when p.failing_since is null and coalesce(p.succeeded_at, m.created_at) < now() - 2 * ${failing}
            then 'unserved'
          when p.state = 'held' and p.oldest_waiting_at < now() - 4 * ${failing} then 'held'
          when greatest(p.arrived_at, m.created_at) < now() - ${silent} and p.arrived_at is not null then 'silent'
        end as ailment,
        coalesce(p.failing_since, p.oldest_waiting_at, case when p.arrived_at < now() - ${silent} then p.arrived_at end,
          p.succeeded_at, m.created_at) as since
      from mailbox m join mailbox_progress p on p.org_id = m.org_id and p.mailbox_id = m.id
      where m.removed_at is null and m.paused_at is null
    ) mailboxes where ailment is not null`.execute(db);
  return rows;
}
