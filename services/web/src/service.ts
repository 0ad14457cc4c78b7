import { openReads, webRole, type Reads } from '@dmarc-ledger/schema';
import type { Logger } from '@dmarc-ledger/runtime';
import { idText } from '@dmarc-ledger/vocabulary';
import { makeWeb, type Web, type WebOptions } from '@dmarc-ledger/web';

export interface PagesOptions extends Pick<WebOptions, 'appUrl' | 'caching' | 'identityProvider' | 'ingestUrl'> {
  databaseUrl: string;
  log: Logger;
}

export { identityProviderOf } from './identity-provider.ts';

/** Longer than any page takes; the server ends a longer statement. */
const STATEMENT_MS = 5_000;
const HEAVY_STATEMENT_MS = 15_000;
const CONNECTIONS = 8;
const HEAVY_CONNECTIONS = 4;

/** Opens the pages on connections of their own, without a port. */
export async function openPages({ databaseUrl, log, ...options }: PagesOptions): Promise<Web> {
  const reads = openStorage(databaseUrl, log, { connections: CONNECTIONS, statementTimeoutMs: STATEMENT_MS });
  const heavyReads = openStorage(databaseUrl, log, {
    connections: HEAVY_CONNECTIONS,
    statementTimeoutMs: HEAVY_STATEMENT_MS,
  });
  const web = await makeWeb({
    reads,
    heavyReads,
    ...options,
    onFault: (error, requestId) => log.error({ event: 'web.failed', requestId, error }, 'a page could not be answered'),
    onSignIn: ({ outcome, ...about }) => log.info({ event: `web.${outcome}`, ...about }, 'an attempt to sign in'),
    onRawRead: ({ orgId, ...about }) =>
      log.info({ event: 'web.raw_read', org: idText(orgId), ...about }, 'raw bytes were opened on a page'),
  });
  const close = async () => {
    await web.close();
    await Promise.all([reads.close(), heavyReads.close()]);
  };
  return { ...web, close };
}

function openStorage(url: string, log: Logger, options: { connections: number; statementTimeoutMs: number }): Reads {
  return openReads(url, {
    ...options,
    role: webRole,
    applicationName: 'dmarc-ledger-web',
    onError: (error) =>
      log.warn({ event: 'web.connection_lost', error }, 'an idle connection to the database was lost'),
    onNoRole: (error) => log.warn({ event: 'web.no_role', error }, 'row-level security is off: see docs/security.md'),
  });
}
