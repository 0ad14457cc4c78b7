import type { MailDetails, MessageDetails } from '@dmarc-ledger/ledger';
import { idText, instantText } from '@dmarc-ledger/vocabulary';
import type { Row } from '../print.ts';

/** A delivery as one row. */
export function deliveryRow({ id, state, code, name, size, receivedAt, parts }: MessageDetails): Row {
  return { id: idText(id), received: instantText(receivedAt), state, code, size, reports: reportsIn(parts), name };
}

/** Everything stored about a delivery, for JSON. */
export function deliveryJson({ parts, receivedAt, finishedAt, bytesPurgedAt, ...details }: MessageDetails) {
  return {
    ...details,
    id: idText(details.id),
    receivedAt: instantText(receivedAt),
    finishedAt: finishedAt && instantText(finishedAt),
    bytes: bytesPurgedAt ? 'bytes_purged' : 'kept',
    bytesPurgedAt: bytesPurgedAt && instantText(bytesPurgedAt),
    parts: parts.map((part) => ({
      ...part,
      reports: part.reports.map((report) => ({ ...report, id: idText(report.id) })),
    })),
  };
}

/** What is stored about the mail that brought a delivery. */
export function mailJson({ isHeaderOnly, mailReceivedAt, places, ...mail }: MailDetails) {
  return {
    ...mail,
    headerOnly: isHeaderOnly,
    mailReceivedAt: mailReceivedAt && instantText(mailReceivedAt),
    places: places.map(({ arrivedAt, actedAt, ...place }) => ({
      ...place,
      arrivedAt: arrivedAt && instantText(arrivedAt),
      actedAt: actedAt && instantText(actedAt),
    })),
  };
}

/** The documents of a delivery, one in each row. */
export function partRows({ parts }: MessageDetails): Row[] {
  return parts.map((part) => ({
    document: part.path || null,
    kind: part.kind,
    outcome: part.outcome,
    code: part.code,
    message: part.message,
    reports: reportsIn([part]),
    records: part.reports.reduce((sum, { records }) => sum + records, 0),
    warnings: part.warnings.join(', ') || null,
  }));
}

function reportsIn(parts: MessageDetails['parts']): number {
  return parts.reduce((sum, { reports }) => sum + reports.length, 0);
}
