import { randomInt } from 'node:crypto';
import type { Database, Db } from '@dmarc-ledger/schema';
import { sql } from 'kysely';

const LOCK_CLASS = 7_346_002; // any number, the same in every process: the family of claimants' locks
const FIRST_NAME = 256; // those below are the locks of bytes

/**
 * An ingester's name on the deliveries it works on. The name is a lock of its database session, so a claim ends the
 * moment its holder is gone, however it ended, and nobody has to guess by the clock.
 */
export interface Claimant {
  /** The name to claim with; a new one when the session was lost. */
  name(): Promise<number>;
  release(): void;
  /** Notes that a delivery's reading did not end because the database was away, which is no fault of the delivery's. */
  forgiveStart(orgId: string, id: string): void;
  /** Takes the starts of all that were forgiven back. What cannot be told now is told by the next call. */
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
      if (isHeld) client.release(true); // the session ends, and the lock with it
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
      const told = [...forgiven];
      forgiven.clear(); // so that nobody tells the same beside us
      try {
        await takeStartsBack(db, told);
      } catch (error) {
        for (const [id, orgId] of told) forgiven.set(id, orgId);
        throw error;
      }
    },
  };
}

/** Whoever holds them by now keeps them: only the count of starts is mended, and nothing of what has come to an end. */
async function takeStartsBack(db: Db, forgiven: [id: string, orgId: string][]): Promise<void> {
  const ids = forgiven.map(([id]) => id);
  const orgIds = forgiven.map(([, orgId]) => orgId);
  await sql`
    update raw_message m set attempts_started = m.attempts_started - 1
    from unnest(${ids}::uuid[], ${orgIds}::uuid[]) as e (id, org_id)
    where m.org_id = e.org_id and m.id = e.id and m.state in ('received', 'processing') and m.attempts_started > 0`.execute(
    db,
  );
}

/** Puts back the deliveries whose claimant is gone. Returns how many. */
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
