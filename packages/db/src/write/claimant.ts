import { randomInt } from 'node:crypto';
import { sql } from 'kysely';
import type { Database, Db } from '../database.ts';

const LOCK_CLASS = 7_346_002; // any number, the same in every process: the family of claimants' locks

/**
 * An ingester's name on the deliveries it works on. The name is a lock of its database session, so a claim ends the
 * moment its holder is gone, however it ended, and nobody has to guess by the clock.
 */
export interface Claimant {
  /** The name to claim with; a new one when the session was lost. */
  name(): Promise<number>;
  release(): void;
}

/** The names of the claimants that are alive. */
export const livingClaimants = sql`
  select objid::bigint from pg_locks
  where locktype = 'advisory' and classid::bigint = ${sql.lit(LOCK_CLASS)} and objsubid = 2
    and database = (select oid from pg_database where datname = current_database())`;

export function openClaimant({ pool }: Database): Claimant {
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
    const name = randomInt(2 ** 31 - 1);
    await client.query('select pg_advisory_lock($1, $2)', [LOCK_CLASS, name]);
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
  };
}

/** Puts back the deliveries whose claimant is gone. Returns how many. */
export async function releaseDeadClaims(db: Db): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('raw_message')
    .set({ state: 'received', claimed_by: null })
    .where('state', '=', 'processing')
    .where(sql<boolean>`claimed_by not in (${livingClaimants})`)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}
