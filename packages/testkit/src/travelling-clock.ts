import type { Database } from '@dmarc-ledger/schema';

/** Makes it another time for every statement of this database handle from now on, as far as they ask the ledger's clock. */
export function travellingClock({ pool }: Pick<Database, 'pool'>): { set: (instant: Date) => void } {
  let now: Date | undefined;
  // queued before whatever the borrower asks
  pool.on('acquire', (client) => {
    if (now) void client.query(`select set_config('dmarc_ledger.now', $1, false)`, [now.toISOString()]);
  });
  return { set: (instant) => void (now = instant) };
}
