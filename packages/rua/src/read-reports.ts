import { WorkSlices } from '@dmarc-ledger/vocabulary';
import type { ReadContext } from './context.ts';
import { ReportError } from './errors.ts';
import { readLenient } from './lenient/read-lenient.ts';
import { CHUNK_LENGTH } from './limits.ts';
import type { ReportReading } from './whole-report.ts';
import { WholeSink } from './whole-sink.ts';
import { decodeInSlices, decodeWhole, type Decoded, type Encoding } from './xml/encoding.ts';
import { ReportCollector } from './xml/report-collector.ts';
import { NotWellFormed, StrictParser } from './xml/strict-parser.ts';

const BARE_AMPERSAND = /&(?![#\w]{1,32};)/;

/** The outcome of a document's reports: for each feedback root, in order, a reading or why that report is refused. */
export type Outcomes = (ReportReading | ReportError)[];

/**
 * The reports in a document that is small enough to be read as a whole (`LENIENT_LIMIT`), in one go. Throws a
 * `ReportError` when the document as a whole is refused. For an untrusted document of more than a few KiB see
 * `readWellFormed`.
 */
export function readReports(bytes: Uint8Array, context: ReadContext): Outcomes {
  const { text, warnings } = trimmed(decodeWhole(bytes));
  return concluded(readStrict(text, bytes, context) ?? readLenient(text, context), warnings);
}

/** As `readReports`, without the second pass: undefined for a document that is not well-formed. */
export function readWellFormedAtOnce(bytes: Uint8Array, context: ReadContext): Outcomes | undefined {
  const { text, warnings } = trimmed(decodeWhole(bytes));
  const outcomes = readStrict(text, bytes, context);
  return outcomes && concluded(outcomes, warnings);
}

/**
 * As `readReports`, in slices of some milliseconds, and without the second pass: undefined for a document that is not
 * well-formed. That pass builds a tree, so its caller must limit its time and memory.
 */
export async function readWellFormed(bytes: Uint8Array, context: ReadContext): Promise<Outcomes | undefined> {
  const slices = new WorkSlices();
  const { text, warnings } = trimmed(await decodeInSlices(bytes, slices));
  await slices.pause();
  const sink = new WholeSink(bytes, context);
  const parser = StrictParser.for(new ReportCollector(sink));
  try {
    for (let at = 0; at < text.length; at += CHUNK_LENGTH) {
      parser.write(text.slice(at, at + CHUNK_LENGTH));
      await slices.pause();
    }
    parser.close();
  } catch (error) {
    return notWellFormed(error, text);
  }
  return concluded(sink.outcomes, warnings);
}

/** Undefined for a document that is not well-formed. */
export function readStrict(text: string, bytes: Uint8Array, context: ReadContext): Outcomes | undefined {
  const sink = new WholeSink(bytes, context);
  const parser = StrictParser.for(new ReportCollector(sink));
  try {
    parser.write(text);
    parser.close();
    return sink.outcomes;
  } catch (error) {
    return notWellFormed(error, text);
  }
}

/** Undefined where the second pass is needed; throws what refuses the document. */
function notWellFormed(error: unknown, text: string): undefined {
  if (error instanceof NotWellFormed || isStuck(error, text)) return undefined;
  throw error;
}

/** After an ampersand that begins no reference the parser looks for a semicolon, and ignores everything up to it. */
function isStuck(error: unknown, text: string): boolean {
  return error instanceof ReportError && error.code === 'xml_text_too_long' && BARE_AMPERSAND.test(text);
}

/** Without white space before a declaration, which no parser accepts there. */
function trimmed({ text, warnings }: Decoded): Decoded {
  const rest = text.trimStart();
  if (rest.length === text.length || !rest.startsWith('<?xml')) return { text, warnings };
  return { text: rest, warnings: [...warnings, { code: 'xml_leading_junk', detail: null }] };
}

function concluded(outcomes: Outcomes, warnings: Encoding['warnings']): Outcomes {
  if (outcomes.length === 0) throw new ReportError('not_feedback', 'there is no DMARC feedback in the document');
  return warnings.length ? outcomes.map((outcome) => withDocumentWarnings(outcome, warnings)) : outcomes;
}

function withDocumentWarnings(
  outcome: ReportReading | ReportError,
  warnings: Encoding['warnings'],
): ReportReading | ReportError {
  if (outcome instanceof ReportError) return outcome;
  const known = new Set(outcome.warnings.map(({ code }) => code));
  return { ...outcome, warnings: [...warnings.filter(({ code }) => !known.has(code)), ...outcome.warnings] };
}
