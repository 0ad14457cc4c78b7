import { claimDataDir } from '@dmarc-ledger/local-postgres';
import { RecentReports } from '@dmarc-ledger/pipeline';
import { closedTogether, type Logger, type Use } from '@dmarc-ledger/runtime';
import { firstLink } from './first-link.ts';
import { firstOrganization, type FirstOrganization } from './first-organization.ts';
import { openHost, type ServiceHost } from './host.ts';
import { areSamplesTaken } from './sample-intake.ts';
import { answersOfSamples } from './sample-lookups.ts';
import { openAdmin, startService, type ServiceEnv } from './services.ts';
import { withDataDir } from './installation-error.ts';

export interface Standalone {
  host: ServiceHost;
  first: FirstOrganization;
  /** Signs the first owner in to the pages, once; null without pages. */
  signInUrl: string | null;
  apiUrl: string | null;
  uploadUrl: string | null;
}

/** All services as one process. One instance at a time on a data folder. */
export async function startStandalone(
  env: ServiceEnv,
  use: Use,
  log: Logger,
  { onProgress, samples = false }: { onProgress: (line: string) => void; samples?: boolean },
): Promise<Standalone> {
  const { DATA_DIR } = env;
  use(await withDataDir(DATA_DIR, async () => claimDataDir(DATA_DIR, 'start')), (claim) => claim.release());
  const opened = await openHost({ service: 'standalone', log, onProgress }, env, use);
  const host = { ...opened, recent: new RecentReports() };
  const first = await firstOrganization(host.database.db, host.dataDir);
  const hasSamples = samples || (await areSamplesTaken(host.dataDir));
  const together = closedTogether(use);
  await startService('scheduler', env, host, together);
  const worker = await startService(
    'worker',
    env,
    { ...host, ...(hasSamples && { answering: answersOfSamples }) },
    together,
  );
  const ingester = await startService('ingester', env, host, together);
  const { identityProviderOf, openPages } = await import('@dmarc-ledger/web-service');
  const pages = together(
    await openPages({
      ...host,
      appUrl: env.APP_URL,
      ingestUrl: ingester.address ?? undefined,
      identityProvider: identityProviderOf(env),
      caching: env,
    }),
    (opened) => opened.close(),
  );
  const api = await startService('api', env, { ...host, beside: pages.listener }, together);
  await openAdmin(env, host, worker, use);
  const { token } = await firstLink(host.database.db, first.orgId);
  const signInUrl = api.address && `${env.APP_URL ?? api.address}/sign-in/link?token=${token}`;
  return { host, first, signInUrl, apiUrl: api.address, uploadUrl: ingester.address };
}
