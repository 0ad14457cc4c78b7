import type { Database } from '@dmarc-ledger/schema';

/**
 * Sets another time for every later statement of this database handle that reads the ledger's clock; undefined: the
 * real one.
 */
export function travellingClock({ pool }: Pick<Database, 'pool'>): { set: (instant: Date | undefined) => void } {
  let now: string | undefined;
  // queued before the borrower's own statements
  pool.on('acquire', (client) => {
    if (now !== undefined) void client.query(`select set_config('dmarc_ledger.now', $1, false)`, [now]);
  });
  return { set: (instant) => void (now = instant?.toISOString() ?? '') };
}
