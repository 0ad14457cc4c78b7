import { notificationEnv, readEnv } from '@dmarc-ledger/runtime';

/** Says on stderr that mail, which was just asked for, is not sent yet; nothing where a mail server is configured. */
export function noteMissingMail(): void {
  if (readEnv({ SMTP_URL: notificationEnv.SMTP_URL }, process.env).SMTP_URL !== undefined) return;
  process.stderr.write('No mail is sent until SMTP_URL and MAIL_FROM are set, for the workers as well.\n');
}
