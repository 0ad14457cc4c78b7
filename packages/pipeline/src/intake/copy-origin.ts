import type { CopyOrigin } from '@dmarc-ledger/ledger';
import { isFromReporter, passedDmarc, type ReporterFields } from '@dmarc-ledger/dmarc';
import type { OpenedDelivery } from './open-delivery.ts';

/** How a document was received, and whether its mail passed as this reporter. */
export function copyOrigin(
  { message, mailReceivedAt, mailFacts }: OpenedDelivery,
  document: string,
  payloadSha256: Buffer,
  reporter: ReporterFields | undefined,
): CopyOrigin {
  return {
    messageId: message.id,
    payloadSha256,
    document,
    receivedAt: message.receivedAt,
    mailReceivedAt,
    authenticated: isAuthenticated({ message, mailFacts }, reporter),
    isUnproven: message.source === 'import',
    isReleased: message.isReleased,
  };
}

/**
 * Whether a mail proves its sender: it passed as the reporter, or, for a report of another kind that names none, it
 * passed DMARC. Null where nothing was recorded. What the owner uploads or imports needs no proof: it is not false, but
 * true where the owner's mailbox brought the same mail and it passed. (rules, copies/mail-of-the-reporter)
 */
export function isAuthenticated(
  { message, mailFacts }: Pick<OpenedDelivery, 'message' | 'mailFacts'>,
  reporter: ReporterFields | undefined,
): boolean | null {
  if (!mailFacts) return null;
  const passed = reporter ? isFromReporter(mailFacts, reporter) : passedDmarc(mailFacts);
  return message.source === 'mailbox' ? passed : passed || null;
}

/** Whether a delivery is a mail that failed DMARC, which proves no report of any reporter. */
export function hasFailed(delivery: Pick<OpenedDelivery, 'message' | 'mailFacts'>): boolean {
  return isAuthenticated(delivery, undefined) === false;
}
