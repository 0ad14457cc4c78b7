import { openMailer, type DnsClient } from '@dmarc-ledger/lookups';
import { openNotifier, type Notifier } from '@dmarc-ledger/pipeline';
import type { notificationEnv, Env, lookupEnv } from '@dmarc-ledger/runtime';
import type { SecretBox } from '@dmarc-ledger/secrets';
import { CodedError } from '@dmarc-ledger/vocabulary';

/** The environment variables of notifications. */
export type NotificationOptions = Env<typeof notificationEnv> & Pick<Env<typeof lookupEnv>, 'ALLOW_PRIVATE_ADDRESSES'>;

class NotificationOptionError extends CodedError<'mail_from_missing'> {
  override readonly retryable = false;
}

/** Sends notifications of events, by webhook and by mail. */
export function notifierOf(
  { APP_URL, SMTP_URL, MAIL_FROM, ALLOW_PRIVATE_ADDRESSES }: NotificationOptions,
  dns: DnsClient,
  secrets: SecretBox | undefined,
): Notifier {
  if (SMTP_URL !== undefined && MAIL_FROM === undefined)
    throw new NotificationOptionError(
      'mail_from_missing',
      'SMTP_URL needs MAIL_FROM: the address that mail comes from.',
    );
  const isOpen = ALLOW_PRIVATE_ADDRESSES === 'on';
  return openNotifier({
    webhooks: { client: dns, isOpen, ...(isOpen && { isAllowed: () => true }) },
    mailer: SMTP_URL && MAIL_FROM ? openMailer({ url: SMTP_URL, from: MAIL_FROM }) : undefined,
    secrets,
    appUrl: APP_URL,
  });
}
