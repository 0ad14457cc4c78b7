import { lookupEnv, notificationEnv, readEnv, type Env } from '@dmarc-ledger/runtime';
import type { Notifier } from '@dmarc-ledger/pipeline';
import { notifierOf, openLookups, type OpenLookups } from '@dmarc-ledger/worker-service';
import type { Work } from './with-installation.ts';

/**
 * Opens the lookups that the environment describes, until the command ends.
 * @param enrichment whether addresses are looked up, whatever `ENRICHMENT` says
 */
export async function openLookupsOf(work: Work, enrichment: 'on' | 'off'): Promise<OpenLookups> {
  return await open(work, { ...readEnv(lookupEnv, process.env), ENRICHMENT: enrichment });
}

/** The environment variables of notifications, and of the lookups that find their receivers. */
export const notifierEnv = { ...lookupEnv, ...notificationEnv };

/** Opens what sends notifications, as the environment describes it, until the command ends. */
export async function openNotifierOf(work: Work): Promise<Notifier> {
  const env = readEnv(notifierEnv, process.env);
  const { dns } = await open(work, { ...env, ENRICHMENT: 'off' });
  return notifierOf(env, dns, work.installation.secrets);
}

async function open({ installation, log, use }: Work, env: Env<typeof lookupEnv>): Promise<OpenLookups> {
  const onFault = (message: string, error: unknown) => log.warn({ error }, message);
  return use(await openLookups(env, installation.database, onFault), (opened) => opened.close());
}
