import { randomInt } from 'node:crypto';
import type { Database, Db } from '@dmarc-ledger/schema';
import { sql } from 'kysely';

const LOCK_CLASS = 7_346_002; // an arbitrary number, equal in every process: the class of the claimants' advisory locks
const FIRST_NAME = 256; // lower numbers are the locks of bytes

/**
 * An ingester's name on the deliveries it works on. The name is a lock of its database session, so a claim ends when
 * the session ends, however the process stops, and no timeout is needed.
 */
export interface Claimant {
  /** The name to claim with; a new one if the session was lost. */
  name(): Promise<number>;
  release(): void;
  /** Notes that a start failed because the database was unavailable, so it does not count against the delivery. */
  forgiveStart(orgId: string, id: string): void;
  /** Subtracts the forgiven starts. Those that cannot be written now are written by the next call. */
  forgiveStarts(): Promise<void>;
}

/** The names of the claimants that are alive. */
export const livingClaimants = sql`
  select objid::bigint from pg_locks
  where locktype = 'advisory' and classid::bigint = ${sql.lit(LOCK_CLASS)} and objsubid = 2
    and database = (select oid from pg_database where datname = current_database())`;

export function openClaimant({ pool, db }: Database): Claimant {
  const forgiven = new Map<string, string>(); // delivery to organization
  let held: Promise<{ name: number; letGo: () => void }> | undefined;

  const acquire = async () => {
    const client = await pool.connect();
    let isHeld = true;
    const letGo = () => {
      if (isHeld) client.release(true); // ends the session, and with it the lock
      isHeld = false;
    };
    client.once('error', () => {
      held = undefined;
      letGo();
    });
    const name = randomInt(FIRST_NAME, 2 ** 31 - 1);
    try {
      await client.query('select pg_advisory_lock($1, $2)', [LOCK_CLASS, name]);
    } catch (error) {
      letGo();
      throw error;
    }
    return { name, letGo };
  };

  return {
    async name() {
      held ??= acquire();
      try {
        return (await held).name;
      } catch (error) {
        held = undefined;
        throw error;
      }
    },
    release() {
      void held?.then(
        ({ letGo }) => letGo(),
        () => undefined,
      );
      held = undefined;
    },
    forgiveStart: (orgId, id) => void forgiven.set(id, orgId),
    async forgiveStarts() {
      if (forgiven.size === 0) return;
      const taken = [...forgiven];
      forgiven.clear(); // so that no concurrent call subtracts the same starts
      try {
        await takeStartsBack(db, taken);
      } catch (error) {
        for (const [id, orgId] of taken) forgiven.set(id, orgId);
        throw error;
      }
    },
  };
}

/**
 * The number of starts without one of them. It may have been forgiven before, by a statement whose answer was lost, and
 * a delivery with less than none would never be claimed.
 */
export const startForgiven = sql<number>`greatest(raw_message.attempts_started - 1, 0)`;

/** Only corrects the number of starts: the current claimant keeps the delivery, and ended deliveries stay unchanged. */
async function takeStartsBack(db: Db, forgiven: [id: string, orgId: string][]): Promise<void> {
  const ids = forgiven.map(([id]) => id);
  const orgIds = forgiven.map(([, orgId]) => orgId);
  await sql`
    update raw_message set attempts_started = ${startForgiven}
    from unnest(${ids}::uuid[], ${orgIds}::uuid[]) as e (id, org_id)
    where raw_message.org_id = e.org_id and raw_message.id = e.id and state in ('received', 'processing')`.execute(db);
}

/** Returns deliveries of dead claimants to the queue. Returns how many. */
export async function releaseDeadClaims(db: Db): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('raw_message')
    .set({ state: 'received', claimed_by: null })
    .where('state', '=', 'processing')
    .where('held_until', 'is', null)
    .where(sql<boolean>`claimed_by not in (${livingClaimants})`)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}
