import { notificationEnv, lookupEnv, readEnv } from '@dmarc-ledger/runtime';
import { notifierOf, openLookups } from '@dmarc-ledger/worker-service';
import type { printedLink } from './printed-link.ts';
import type { Work } from './with-installation.ts';

type Link = Awaited<ReturnType<typeof printedLink>>;

/** Mails an invitation with its link, and returns whether the mail server took it. */
type MailInvitation = (email: string, link: Link) => Promise<boolean>;

/** Opens what mails invitations; undefined where no mail is sent, because `SMTP_URL` or `APP_URL` is not set. */
export async function openInvitations({ installation, log, use }: Work): Promise<MailInvitation | undefined> {
  const env = readEnv({ ...lookupEnv, ...notificationEnv }, process.env);
  if (env.SMTP_URL === undefined || env.APP_URL === undefined) return undefined;
  const onFault = (message: string, error: unknown) => log.warn({ error }, message);
  const lookups = use(await openLookups({ ...env, ENRICHMENT: 'off' }, installation.database, onFault), (opened) =>
    opened.close(),
  );
  const { mailLink } = notifierOf(env, lookups.dns, installation.secrets);
  return (
    mailLink &&
    (async (to, { token, expires_at }) => mailLink('invitation', { to, token, expiresAt: new Date(expires_at) }))
  );
}
