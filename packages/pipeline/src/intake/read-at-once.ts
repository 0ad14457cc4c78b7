import { readReports, ReportError, type Outcomes, type ReadContext, type ReportReading } from '@dmarc-ledger/rua';
import type { Document } from '@dmarc-ledger/unpack';
import type { DocumentReading } from './document-reading.ts';
import { readFields, readJson } from './read-other.ts';

/** Reads a document in one go, however long that takes: for small documents, and for a thread that can be ended. */
export function readAtOnce(format: Document['kind'], bytes: Buffer, context: ReadContext): DocumentReading {
  switch (format) {
    case 'xml':
      return refusable(() => sorted(readReports(bytes, context)));
    case 'json':
      return { readings: [], ...readJson(bytes, context) };
    case 'failure-report':
      return { readings: [], ...readFields(bytes, context) };
  }
}

/** The reports of a document, and its refusals. */
export function sorted(outcomes: Outcomes): DocumentReading {
  return {
    readings: outcomes.filter(isReading),
    others: [],
    refusals: outcomes
      .filter((outcome) => outcome instanceof ReportError)
      .map(({ code, message }) => ({ code, message })),
  };
}

export function refusedReading({ code, message }: ReportError): DocumentReading {
  return { readings: [], others: [], refusals: [{ code, message }] };
}

function refusable(read: () => DocumentReading): DocumentReading {
  try {
    return read();
  } catch (error) {
    if (error instanceof ReportError) return refusedReading(error);
    throw error;
  }
}

function isReading(outcome: ReportReading | ReportError): outcome is ReportReading {
  return !(outcome instanceof ReportError);
}
