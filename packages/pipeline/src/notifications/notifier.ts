import type { TargetKey } from '@dmarc-ledger/ledger';
import {
  postWebhook,
  type Hold,
  type Mail,
  type Mailer,
  type MailFact,
  type WebhookFact,
  type WebhookOptions,
} from '@dmarc-ledger/lookups';
import { SecretError, type SecretBox } from '@dmarc-ledger/secrets';
import { type ChatKind, idText, isChat, type NotificationKind } from '@dmarc-ledger/vocabulary';
import { chatMessage } from './chat-messages.ts';
import { linkMail, type LinkMailPurpose, type MailedLink } from './link-mail.ts';
import { noticeText, type Notice } from './notice.ts';

/** The target of a notification, and its address. */
interface Address extends TargetKey {
  kind: NotificationKind;
  address: string;
  secret: Buffer | null;
}

/**
 * Whether the target accepted it, with the status of the answer if any, the code of a fault, and the beginning of the
 * answer.
 */
export interface NotificationAnswer {
  isDelivered: boolean;
  status: number | null;
  code: string | null;
  text?: string;
  /** The least number of seconds before the next try, as the receiver asks. */
  retryAfterSeconds?: number | null;
}

export interface NotifierNeeds {
  /** The hosts that may be connected to, and how. */
  webhooks: WebhookOptions;
  /** Undefined: no mail is sent. */
  mailer?: Mailer | undefined;
  /** Undefined: no webhook can be signed. */
  secrets?: SecretBox | undefined;
  /** The prefix of links. */
  appUrl?: string | undefined;
}

export interface Notifier {
  appUrl: string | undefined;
  /** Tries once. The id is the same at every try. Never throws. */
  notify: (to: Address, notificationId: string, notice: Notice, hold?: Hold) => Promise<NotificationAnswer>;
  /** Sends a mail that is no event, such as a digest. Never throws. */
  mail: (mail: Mail, hold?: Hold) => Promise<NotificationAnswer>;
  /** Mails a link, and returns whether the mail server took it. Unset where no mail is sent, or `appUrl` is unknown. */
  mailLink?: ((purpose: LinkMailPurpose, link: MailedLink) => Promise<boolean>) | undefined;
}

/** The place that the secret of a target is sealed for; it cannot be opened for another place. */
export function targetSecretPlace({ orgId, targetId }: TargetKey): string {
  return `delivery_target|${orgId}|${targetId}|secret`;
}

export function openNotifier(needs: NotifierNeeds): Notifier {
  const { mailer, appUrl } = needs;
  return {
    appUrl,
    notify: async (to, notificationId, notice, hold) => {
      const { kind, address } = to;
      if (kind === 'email') return await mail(needs, to, notice, hold);
      if (isChat(kind)) return await postChat(needs, { kind, address, notificationId }, notice);
      return await post(needs, to, notificationId, notice);
    },
    mail: async (message, hold) =>
      mailer ? mailAnswer(await mailer.send(message, hold)) : failure('email_not_configured'),
    mailLink:
      mailer && appUrl !== undefined
        ? async (purpose, link) => (await mailer.send(linkMail(purpose, link, appUrl))).outcome === 'taken'
        : undefined,
  };
}

async function post(
  { webhooks, secrets }: NotifierNeeds,
  to: Address,
  notificationId: string,
  notice: Notice,
): Promise<NotificationAnswer> {
  const opened = openSecret(secrets, to);
  if ('code' in opened) return failure(opened.code);
  const message = { url: to.address, secret: opened.secret, id: idText(notificationId), body: JSON.stringify(notice) };
  return webhookAnswer(await postWebhook(webhooks, message));
}

/** Channels check no signature: their address is the secret. */
async function postChat(
  { webhooks }: NotifierNeeds,
  { kind, address: url, notificationId }: { kind: ChatKind; address: string; notificationId: string },
  notice: Notice,
): Promise<NotificationAnswer> {
  const body = JSON.stringify(chatMessage(kind, notice));
  return webhookAnswer(await postWebhook(webhooks, { url, id: idText(notificationId), body }));
}

function openSecret(secrets: SecretBox | undefined, to: Address): { secret: string } | { code: string } {
  if (!secrets || !to.secret) return { code: 'secret_key_missing' };
  try {
    return { secret: secrets.open(to.secret, targetSecretPlace(to)) };
  } catch (error) {
    if (error instanceof SecretError) return { code: error.code };
    throw error;
  }
}

function webhookAnswer(fact: WebhookFact): NotificationAnswer {
  switch (fact.outcome) {
    case 'answered': {
      const { status, text, retryAfterSeconds } = fact;
      if (status >= 200 && status < 300) return { isDelivered: true, status, code: null, text };
      const isRedirect = status >= 300 && status < 400;
      const code = status === 410 ? 'gone' : isRedirect ? 'redirect' : 'status';
      return { isDelivered: false, status, code, text, retryAfterSeconds };
    }
    case 'unreachable':
    case 'rejected':
      return failure(fact.reason);
    case 'no_host':
      return failure('no_host');
    case 'forbidden':
      return failure(`${fact.reason}_forbidden`);
  }
}

async function mail(
  { mailer }: NotifierNeeds,
  to: Address,
  notice: Notice,
  hold: Hold | undefined,
): Promise<NotificationAnswer> {
  if (!mailer) return failure('email_not_configured');
  const { orgId, targetId } = to;
  const message = {
    to: to.address.split(','),
    subject: notice.title,
    text: noticeText(notice),
    id: `${notice.id}.${idText(targetId)}`.toLowerCase(),
    list: { id: `${idText(orgId)}.events`.toLowerCase(), name: 'DMARC Ledger events' },
  };
  return mailAnswer(await mailer.send(message, hold));
}

function mailAnswer(fact: MailFact): NotificationAnswer {
  switch (fact.outcome) {
    case 'taken':
      return { isDelivered: true, status: fact.status, code: fact.refused > 0 ? 'some_addresses_refused' : null };
    case 'refused':
      return { isDelivered: false, status: fact.status, code: fact.reason === 'auth' ? 'mail_auth' : 'mail_refused' };
    case 'unreachable':
      return failure(`mail_${fact.reason}`);
  }
}

function failure(code: string): NotificationAnswer {
  return { isDelivered: false, status: null, code };
}
