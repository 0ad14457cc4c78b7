import { ReportError, type ReadContext } from '@dmarc-ledger/rua';
import { UnpackError } from '@dmarc-ledger/unpack';
import type { Warning } from '@dmarc-ledger/vocabulary';
import type { DocumentReading } from './document-reading.ts';
import type { OpenedDelivery, OpenedDocument } from './open-delivery.ts';
import { readFormat } from './read-format.ts';

export type WholeDocument = Extract<OpenedDocument, { kind: 'whole' }>;

/**
 * Reads a whole document, once. Warnings of its container come before those of its content, in the order they were met.
 * Its reports count against the delivery's budget; those beyond it are refused.
 */
export async function readDocument(document: WholeDocument, delivery: OpenedDelivery): Promise<DocumentReading> {
  const { readings: known, budget } = delivery;
  const already = known.get(document);
  if (already) return already;
  const withContainer = <Reading extends { warnings: Warning[] }>(reading: Reading): Reading => ({
    ...reading,
    warnings: merged(document.warnings, reading.warnings),
  });
  const read = await readFormat(document.format, document.bytes, contextOf(delivery, document), budget);
  const { readings, others, refusals } = within(delivery, read);
  const reading = { readings: readings.map(withContainer), others: others.map(withContainer), refusals };
  known.set(document, reading);
  return reading;
}

/** What the reader of a document gets besides its bytes. */
export function contextOf(
  { message }: Pick<OpenedDelivery, 'message'>,
  { name }: Pick<OpenedDocument, 'name'>,
): ReadContext {
  return { receivedAt: Math.floor(message.receivedAt.getTime() / 1000), name };
}

/** The part of a reading that the delivery may still hold. */
function within({ budget }: OpenedDelivery, { readings, others, refusals }: DocumentReading): DocumentReading {
  const kept: DocumentReading = { readings: [], others, refusals };
  try {
    for (const reading of readings) {
      budget.countReport();
      budget.recordMeter().reach(reading.records.length);
      kept.readings.push(reading);
    }
    for (let other = 0; other < others.length + refusals.length; other += 1) budget.countReport();
  } catch (error) {
    if (!(error instanceof UnpackError)) throw error;
    return { ...kept, refusals: [...refusals, { code: error.code, message: error.message }] };
  }
  return kept;
}

/** The document itself is at fault: the current reader rejects it. */
export function isRefusal(error: unknown): error is ReportError | UnpackError {
  return error instanceof ReportError || error instanceof UnpackError;
}

/** Warnings in the order they were met, each code once. */
export function merged(first: readonly Warning[], second: readonly Warning[]): Warning[] {
  const seen = new Set(first.map(({ code }) => code));
  return [...first, ...second.filter(({ code }) => !seen.has(code))];
}
