import type { ReadContext } from './context.ts';
import { ReportError } from './errors.ts';
import { readLenient } from './lenient/read-lenient.ts';
import type { ReportReading } from './whole-report.ts';
import { WholeSink } from './whole-sink.ts';
import { decodeWhole, type Encoding } from './xml/encoding.ts';
import { ReportCollector } from './xml/report-collector.ts';
import { NotWellFormed, StrictParser } from './xml/strict-parser.ts';

const BARE_AMPERSAND = /&(?![#\w]{1,32};)/;
const SPACE_BEFORE_DECLARATION = /^\s+(?=<\?xml)/;

/**
 * The reports in a document that is small enough to be read whole (`LENIENT_LIMIT`): for each feedback root, in order, a
 * reading or the reason why that report is refused. Throws when the document as a whole is.
 */
export function readReports(bytes: Uint8Array, context: ReadContext): (ReportReading | ReportError)[] {
  const { text: decoded, warnings } = decodeWhole(bytes);
  const text = decoded.replace(SPACE_BEFORE_DECLARATION, '');
  if (text !== decoded) warnings.push({ code: 'xml_leading_junk', detail: null });
  const outcomes = readStrict(text, bytes, context) ?? readLenient(text, context);
  if (outcomes.length === 0) throw new ReportError('not_feedback', 'there is no DMARC feedback in the document');
  return warnings.length ? outcomes.map((outcome) => withDocumentWarnings(outcome, warnings)) : outcomes;
}

/** Undefined for a document that is not well-formed. */
export function readStrict(
  text: string,
  bytes: Uint8Array,
  context: ReadContext,
): (ReportReading | ReportError)[] | undefined {
  const sink = new WholeSink(bytes, context);
  const parser = StrictParser.for(new ReportCollector(sink));
  try {
    parser.write(text);
    parser.close();
    return sink.outcomes;
  } catch (error) {
    if (error instanceof NotWellFormed || isStuck(error, text)) return undefined;
    throw error;
  }
}

/** Behind an ampersand that begins no reference the parser looks for a semicolon, and sees nothing else until there is one. */
function isStuck(error: unknown, text: string): boolean {
  return error instanceof ReportError && error.code === 'xml_text_too_long' && BARE_AMPERSAND.test(text);
}

function withDocumentWarnings(
  outcome: ReportReading | ReportError,
  warnings: Encoding['warnings'],
): ReportReading | ReportError {
  if (outcome instanceof ReportError) return outcome;
  const known = new Set(outcome.warnings.map(({ code }) => code));
  return { ...outcome, warnings: [...warnings.filter(({ code }) => !known.has(code)), ...outcome.warnings] };
}
