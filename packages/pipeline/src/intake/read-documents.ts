import { readReports, ReportError, type ReadContext, type ReportReading } from '@dmarc-ledger/rua';
import type { Warning } from '@dmarc-ledger/vocabulary';
import type { DocumentReading } from './document-reading.ts';
import type { OpenedDelivery, OpenedDocument } from './open-delivery.ts';
import { readFields, readJson } from './read-other.ts';

export type WholeDocument = Extract<OpenedDocument, { kind: 'whole' }>;

/** Reads a whole document. Warnings of its container come before those of its content, in the order they were met. */
export function readDocument(document: WholeDocument, { message, readings: known }: OpenedDelivery): DocumentReading {
  const read = known.get(document);
  if (read) return read;
  const context = { receivedAt: Math.floor(message.receivedAt.getTime() / 1000), name: document.name };
  const withContainer = <Reading extends { warnings: Warning[] }>(reading: Reading): Reading => ({
    ...reading,
    warnings: merged(document.warnings, reading.warnings),
  });
  const { readings, others, refusals } = readFormat(document, context);
  return { readings: readings.map(withContainer), others: others.map(withContainer), refusals };
}

function readFormat({ format, bytes }: WholeDocument, context: ReadContext): DocumentReading {
  switch (format) {
    case 'xml':
      return { ...readFeedback(bytes, context), others: [] };
    case 'json':
      return { readings: [], ...readJson(bytes, context) };
    case 'failure-report':
      return { readings: [], ...readFields(bytes, context) };
  }
}

function readFeedback(bytes: Buffer, context: ReadContext): Omit<DocumentReading, 'others'> {
  try {
    const outcomes = readReports(bytes, context);
    return {
      readings: outcomes.filter(isReading),
      refusals: outcomes
        .filter((outcome) => outcome instanceof ReportError)
        .map(({ code, message }) => ({ code, message })),
    };
  } catch (error) {
    if (error instanceof ReportError) return { readings: [], refusals: [{ code: error.code, message: error.message }] };
    throw error;
  }
}

function isReading(outcome: ReportReading | ReportError): outcome is ReportReading {
  return !(outcome instanceof ReportError);
}

/** Warnings in the order they were met, each code once. */
export function merged(first: readonly Warning[], second: readonly Warning[]): Warning[] {
  const seen = new Set(first.map(({ code }) => code));
  return [...first, ...second.filter(({ code }) => !seen.has(code))];
}
