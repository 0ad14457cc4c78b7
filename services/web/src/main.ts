import { listening, type RunningService, type Use } from '@dmarc-ledger/runtime';
import type { WebServiceEnv } from './env.ts';
import { identityProviderOf } from './identity-provider.ts';
import { openPages, type PagesOptions } from './service.ts';

/** Runs the pages with these settings, on the database of its host. */
export async function main(
  env: WebServiceEnv,
  { databaseUrl, log }: Pick<PagesOptions, 'databaseUrl' | 'log'>,
  use: Use,
): Promise<RunningService> {
  const web = use(
    await openPages({
      databaseUrl,
      log,
      appUrl: env.APP_URL,
      ingestUrl: env.INGEST_URL,
      identityProvider: identityProviderOf(env),
      caching: env,
    }),
    (opened) => opened.close(),
  );
  const address = await listening('PORT', () => web.listen({ host: env.HOST, port: env.PORT }));
  return { address };
}
