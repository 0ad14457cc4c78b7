import type { Bringer, ClaimedMessage, CopyOrigin } from '@dmarc-ledger/ledger';
import { isFromReporter, type MailFacts, passedDmarc, type ReporterFields, strongest } from '@dmarc-ledger/dmarc';
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
  { message, mailFacts }: { message: Pick<ClaimedMessage, 'source'>; mailFacts: MailFacts | null },
  reporter: ReporterFields | undefined,
): boolean | null {
  if (!mailFacts) return null;
  const passed = reporter ? isFromReporter(mailFacts, reporter) : passedDmarc(mailFacts);
  return message.source === 'mailbox' ? passed : passed || null;
}

/** The best of what these deliveries prove of a copy, of which an import says nothing; false where there is none. */
export function bestOf(bringers: readonly Bringer[], reporter: ReporterFields): boolean | null {
  return bringers
    .filter(({ source }) => source !== 'import')
    .map(({ source, mailFacts }) => isAuthenticated({ message: { source }, mailFacts }, reporter))
    .reduce(strongest, false);
}

/** Whether a delivery is a mail that failed DMARC, which proves no report of any reporter. */
export function hasFailed(delivery: Pick<OpenedDelivery, 'message' | 'mailFacts'>): boolean {
  return isAuthenticated(delivery, undefined) === false;
}
