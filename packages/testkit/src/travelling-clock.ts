import type { Database } from '@dmarc-ledger/schema';

/** Sets another time for every later statement of this database handle that reads the ledger's clock. */
export function travellingClock({ pool }: Pick<Database, 'pool'>): { set: (instant: Date) => void } {
  let now: Date | undefined;
  // queued before the borrower's own statements
  pool.on('acquire', (client) => {
    if (now) void client.query(`select set_config('dmarc_ledger.now', $1, false)`, [now.toISOString()]);
  });
  return { set: (instant) => void (now = instant) };
}
