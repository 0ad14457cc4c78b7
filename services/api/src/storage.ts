import { type Database, openDatabase, openReads, type Reads } from '@dmarc-ledger/schema';
import type { Logger } from '@dmarc-ledger/runtime';

/** Longer than any response takes; the server ends a longer statement. */
const STATEMENT_MS = 5_000;
const HEAVY_STATEMENT_MS = 15_000;
/** One of these listens for changes of keys. */
const ACCESS_CONNECTIONS = 4;
const READ_CONNECTIONS = 10;
const HEAVY_CONNECTIONS = 6;

/**
 * The API's connections: for keys and usage, for reading organizations' data, and for heavy work, which cannot delay
 * the others.
 */
export interface Storage {
  access: Database;
  reads: Reads;
  heavyReads: Reads;
  close(): Promise<void>;
}

export function openStorage(databaseUrl: string, log: Logger): Storage {
  const onError = (error: Error) =>
    log.warn({ event: 'api.connection_lost', error }, 'an idle connection to the database was lost');
  let isLogged = false;
  const onNoRole = (error: Error) => {
    if (!isLogged) log.warn({ event: 'api.no_role', error }, 'row-level security is off: see docs/security.md');
    isLogged = true;
  };
  const shared = { applicationName: 'dmarc-ledger-api', onError };
  const access = openDatabase(databaseUrl, {
    ...shared,
    connections: ACCESS_CONNECTIONS,
    statementTimeoutMs: STATEMENT_MS,
  });
  const ofOrganizations = { ...shared, onNoRole };
  const reads = openReads(databaseUrl, {
    ...ofOrganizations,
    connections: READ_CONNECTIONS,
    statementTimeoutMs: STATEMENT_MS,
  });
  const heavyReads = openReads(databaseUrl, {
    ...ofOrganizations,
    connections: HEAVY_CONNECTIONS,
    statementTimeoutMs: HEAVY_STATEMENT_MS,
  });
  const close = async () => void (await Promise.all([access.close(), reads.close(), heavyReads.close()]));
  return { access, reads, heavyReads, close };
}
