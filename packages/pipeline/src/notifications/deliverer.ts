import type { TargetKey } from '@dmarc-ledger/ledger';
import { postWebhook, type Mailer, type MailFact, type WebhookFact, type WebhookOptions } from '@dmarc-ledger/lookups';
import { SecretError, type SecretBox } from '@dmarc-ledger/secrets';
import { idText } from '@dmarc-ledger/vocabulary';
import { noticeText, type Notice } from './notice.ts';

/** The target of a notification, and its address. */
interface Address extends TargetKey {
  kind: 'webhook' | 'email';
  address: string;
  secret: Buffer | null;
}

/**
 * Whether the target accepted it, with the status of the answer if any, the code of a fault, and the beginning of the
 * answer.
 */
export interface DeliveryAnswer {
  isDelivered: boolean;
  status: number | null;
  code: string | null;
  text?: string;
  /** The least number of seconds before the next try, as the receiver asks. */
  retryAfterSeconds?: number | null;
}

export interface DelivererNeeds {
  /** The hosts that may be connected to, and how. */
  webhooks: WebhookOptions;
  /** Undefined: no mail is sent. */
  mailer?: Mailer | undefined;
  /** Undefined: no webhook can be signed. */
  secrets?: SecretBox | undefined;
  /** The prefix of links. */
  appUrl?: string | undefined;
}

export interface Deliverer {
  appUrl: string | undefined;
  /** Tries once. The id is the same at every try. Never throws. */
  deliver: (to: Address, deliveryId: string, notice: Notice) => Promise<DeliveryAnswer>;
}

/** The place that the secret of a target is sealed for; it cannot be opened for another place. */
export function targetSecretPlace({ orgId, targetId }: TargetKey): string {
  return `delivery_target|${orgId}|${targetId}|secret`;
}

export function openDeliverer(needs: DelivererNeeds): Deliverer {
  return {
    appUrl: needs.appUrl,
    deliver: (to, deliveryId, notice) =>
      to.kind === 'webhook' ? post(needs, to, deliveryId, notice) : mail(needs, to, notice),
  };
}

async function post(
  { webhooks, secrets }: DelivererNeeds,
  to: Address,
  deliveryId: string,
  notice: Notice,
): Promise<DeliveryAnswer> {
  const opened = openSecret(secrets, to);
  if ('code' in opened) return failure(opened.code);
  const message = { url: to.address, secret: opened.secret, id: idText(deliveryId), body: JSON.stringify(notice) };
  return webhookAnswer(await postWebhook(webhooks, message));
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

function webhookAnswer(fact: WebhookFact): DeliveryAnswer {
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

async function mail({ mailer }: DelivererNeeds, to: Address, notice: Notice): Promise<DeliveryAnswer> {
  if (!mailer) return failure('email_not_configured');
  const { orgId, targetId } = to;
  const fact = await mailer.send({
    to: to.address.split(','),
    subject: notice.title,
    text: noticeText(notice),
    id: `${notice.id}.${idText(targetId)}`.toLowerCase(),
    list: { id: `${idText(orgId)}.events`.toLowerCase(), name: 'DMARC Ledger events' },
  });
  return mailAnswer(fact);
}

function mailAnswer(fact: MailFact): DeliveryAnswer {
  switch (fact.outcome) {
    case 'taken':
      return { isDelivered: true, status: fact.status, code: fact.refused > 0 ? 'some_addresses_refused' : null };
    case 'refused':
      return { isDelivered: false, status: fact.status, code: fact.reason === 'auth' ? 'mail_auth' : 'mail_refused' };
    case 'unreachable':
      return failure(`mail_${fact.reason}`);
  }
}

function failure(code: string): DeliveryAnswer {
  return { isDelivered: false, status: null, code };
}
