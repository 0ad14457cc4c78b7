import { listening, type RunningService, type Use } from '@dmarc-ledger/runtime';
import type { Notifier } from '@dmarc-ledger/pipeline';
import type { SecretBox } from '@dmarc-ledger/secrets';
import type { IngesterEnv } from './env.ts';
import { startIngester, type IngesterNeeds } from './service.ts';

export interface IngesterHost extends Pick<
  IngesterNeeds,
  'database' | 'blobs' | 'recent' | 'log' | 'metrics' | 'tracing'
> {
  /** Opens the secrets of mailboxes. Without it no mailbox is read, and the pages store no secret. */
  secrets: SecretBox | undefined;
  /** Sends test notifications. */
  openNotifier: () => Promise<Notifier>;
}

/** Runs the ingester with the environment's settings, on the database and blobs of its host. */
export async function main(env: IngesterEnv, host: IngesterHost, use: Use): Promise<RunningService> {
  const { database, blobs, recent, secrets, openNotifier, log, metrics, tracing } = host;
  const upload = { host: env.HOST, port: env.INGEST_PORT };
  const mailboxes = secrets && { secrets, lease: env.MAILBOX_LEASE === 'on' };
  const settings = { secrets, openNotifier, isOpen: env.ALLOW_PRIVATE_ADDRESSES === 'on' };
  if (!mailboxes) log.warn({ event: 'mailboxes.off' }, 'SECRET_KEY is not set: mailboxes are not read');
  const start = () => startIngester({ database, blobs, recent, log, upload, mailboxes, settings, metrics, tracing });
  const ingester = use(await listening('INGEST_PORT', start), (running) => running.close());
  return { address: ingester.uploadUrl };
}
