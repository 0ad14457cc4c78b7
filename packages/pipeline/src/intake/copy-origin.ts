import type { CopyOrigin } from '@dmarc-ledger/ledger';
import { isFromReporter, type ReportHeader } from '@dmarc-ledger/dmarc';
import type { OpenedDelivery } from './open-delivery.ts';

/** How a document was received and, for an aggregate report, whether its mail passed as the reporter. */
export function copyOrigin(
  { message, mailReceivedAt, mailFacts }: OpenedDelivery,
  document: string,
  payloadSha256: Buffer,
  header?: ReportHeader,
): CopyOrigin {
  return {
    messageId: message.id,
    payloadSha256,
    document,
    receivedAt: message.receivedAt,
    mailReceivedAt,
    authenticated: mailFacts && header ? isFromReporter(mailFacts, header.metadata) : null,
  };
}
