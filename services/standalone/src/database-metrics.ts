import type { Database } from '@dmarc-ledger/schema';
import type { Metrics } from '@dmarc-ledger/runtime';

/** Shows the state of this process's database connections. */
export function showDatabase(metrics: Metrics, { pool, vitals }: Database): void {
  metrics.gaugeOf('pg_pool_waiting', 'Callers that wait for a connection to the database.', () => pool.waitingCount);
  metrics.gaugeOf('pg_pool_connections', 'Connections to the database.', () => pool.totalCount);
  metrics.countersOf('pg_retry_total', 'Retried transactions, by SQLSTATE.', ['sqlstate'], () =>
    [...vitals.retries()].map(([sqlstate, value]) => ({ labels: { sqlstate }, value })),
  );
}
