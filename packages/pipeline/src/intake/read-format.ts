import { readWellFormed, ReportError, type ReadContext } from '@dmarc-ledger/rua';
import type { Document } from '@dmarc-ledger/unpack';
import type { DocumentReading } from './document-reading.ts';
import { readAtOnce, refusedReading, sorted } from './read-at-once.ts';
import { readApart } from './reading-thread.ts';

/** A document up to this size is read in one go, which takes a few milliseconds at most. */
const AT_ONCE = 32 * 1024;

/**
 * Reads a document without blocking the process: well-formed XML in slices; a larger document that can only be read in
 * one go in a thread with limits on time and memory.
 */
export async function readFormat(
  format: Document['kind'],
  bytes: Buffer,
  context: ReadContext,
): Promise<DocumentReading> {
  if (bytes.length <= AT_ONCE) return readAtOnce(format, bytes, context);
  try {
    const outcomes = format === 'xml' ? await readWellFormed(bytes, context) : undefined;
    return outcomes ? sorted(outcomes) : await readApart(format, bytes, context);
  } catch (error) {
    if (error instanceof ReportError) return refusedReading(error);
    throw error;
  }
}
