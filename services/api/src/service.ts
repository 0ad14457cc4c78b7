import { makeApi, type Call, type Observer } from '@dmarc-ledger/api';
import { onAccessChange, openDatabase } from '@dmarc-ledger/db';
import type { Logger } from '@dmarc-ledger/runtime';

/** Longer than any answer takes; a statement that does not end is ended by the server. */
const STATEMENT_MS = 5_000;
const CONNECTIONS = 10;

export interface ApiOptions {
  databaseUrl: string;
  host: string;
  /** 0: whichever is free. */
  port: number;
  log: Logger;
  /** Told of every request when it has been answered. */
  observe?: Observer;
}

export interface RunningApi {
  url: string;
  close(): Promise<void>;
}

/** Serves v1 on a port. It has connections of its own, which end what takes too long, and only reads. */
export async function startApi({ databaseUrl, host, port, log, observe }: ApiOptions): Promise<RunningApi> {
  const database = openDatabase(databaseUrl, {
    connections: CONNECTIONS,
    statementTimeoutMs: STATEMENT_MS,
    applicationName: 'dmarc-ledger-api',
    onError: (error) =>
      log.warn({ event: 'api.connection_lost', error }, 'an idle connection to the database was lost'),
  });
  const api = makeApi({
    db: database.db,
    observe: (call) => {
      logCall(log, call);
      observe?.(call);
    },
  });
  const changes = onAccessChange(database.pool, () => api.forgetKeys());
  const close = async () => {
    await api.close();
    await changes.stop();
    await database.close();
  };
  try {
    return { url: await api.listen({ host, port }), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** One line a request, without search terms and keys. */
function logCall(log: Logger, { failure, caller, ...call }: Call): void {
  const line = { event: 'api.request', ...call, orgId: caller?.orgId, keyId: caller?.keyId };
  if (failure === undefined) log.debug(line, 'answered');
  else log.error({ ...line, error: failure }, 'could not be answered');
}
