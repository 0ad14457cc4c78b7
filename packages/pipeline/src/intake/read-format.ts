import { readWellFormed, readWellFormedAtOnce, ReportError, type Outcomes, type ReadContext } from '@dmarc-ledger/rua';
import type { DeliveryBudget, Document } from '@dmarc-ledger/unpack';
import type { DocumentReading } from './document-reading.ts';
import { readAtOnce, refusedReading, sorted } from './read-at-once.ts';
import { readApart } from './reading-thread.ts';

/** A document up to this size is read in one go, which takes a few milliseconds at most. */
const AT_ONCE = 32 * 1024;

/**
 * Reads a document without blocking the process: well-formed XML in slices; a larger document that can only be read in
 * one go in a thread with limits on time and memory. Of the latter a delivery may hold only so much.
 */
export async function readFormat(
  format: Document['kind'],
  bytes: Buffer,
  context: ReadContext,
  budget: Pick<DeliveryBudget, 'mayReadAtOnce'>,
): Promise<DocumentReading> {
  try {
    const outcomes = format === 'xml' ? await readXml(bytes, context) : undefined;
    if (outcomes) return sorted(outcomes);
    if (format !== 'failure-report' && !budget.mayReadAtOnce(bytes.length)) return beyondBudget(format);
    return bytes.length <= AT_ONCE ? readAtOnce(format, bytes, context) : await readApart(format, bytes, context);
  } catch (error) {
    if (error instanceof ReportError) return refusedReading(error);
    throw error;
  }
}

/** Undefined for a document that is not well-formed. */
function readXml(bytes: Buffer, context: ReadContext): Promise<Outcomes | undefined> | Outcomes | undefined {
  return bytes.length <= AT_ONCE ? readWellFormedAtOnce(bytes, context) : readWellFormed(bytes, context);
}

function beyondBudget(format: 'xml' | 'json'): DocumentReading {
  if (format === 'xml') return refusedReading(new ReportError('xml_repair_limit', 'broken XML, too long for its mail'));
  const refusals = [{ code: 'json_too_large', message: 'JSON that is too long for its mail' }];
  return { readings: [], others: [], refusals };
}
