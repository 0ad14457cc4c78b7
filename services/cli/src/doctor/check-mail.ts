import { countMailReaders } from '@dmarc-ledger/ledger';
import type { Work } from '../with-installation.ts';
import { ok, warning, type Finding } from './finding.ts';

/** Whether mail that people have asked for, notifications and digests, is sent. */
export async function checkMail({ installation }: Work, smtpUrl: string | undefined): Promise<Finding> {
  if (smtpUrl !== undefined) return ok('mail', 'SMTP_URL is set.');
  const { targets, digests } = await countMailReaders(installation.database.db);
  if (targets + digests === 0) return ok('mail', 'None is asked for; SMTP_URL is not set.');
  return warning(
    'mail',
    `Nothing is sent to ${targets} mail addresses of notifications and ${digests} readers of digests.`,
    'Set SMTP_URL and MAIL_FROM, for the workers as well; see docs/notifications.md',
  );
}
