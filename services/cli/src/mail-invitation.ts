import { readEnv } from '@dmarc-ledger/runtime';
import { notifierEnv, openNotifierOf } from './open-outside.ts';
import type { printedLink } from './printed-link.ts';
import type { Work } from './with-installation.ts';

type Link = Awaited<ReturnType<typeof printedLink>>;

/** Mails an invitation with its link, and returns whether the mail server took it. */
type MailInvitation = (email: string, link: Link) => Promise<boolean>;

/** Opens what mails invitations; undefined where no mail is sent, because `SMTP_URL` or `APP_URL` is not set. */
export async function openInvitations(work: Work): Promise<MailInvitation | undefined> {
  const { SMTP_URL, APP_URL } = readEnv(notifierEnv, process.env);
  if (SMTP_URL === undefined || APP_URL === undefined) return undefined;
  const { mailLink } = await openNotifierOf(work);
  return (
    mailLink &&
    (async (to, { token, expires_at }) => mailLink('invitation', { to, token, expiresAt: new Date(expires_at) }))
  );
}
