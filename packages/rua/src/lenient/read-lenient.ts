import type { ReadContext } from '../context.ts';
import { ReportError } from '../errors.ts';
import { MAX_TEXT_LENGTH, TREE_LIMIT } from '../limits.ts';
import type { ReportReading } from '../whole-report.ts';
import { WholeSink } from '../whole-sink.ts';
import { ReportCollector } from '../xml/report-collector.ts';
import { NotWellFormed, StrictParser } from '../xml/strict-parser.ts';
import { feedbackSegments, type Segment } from './feedback-segments.ts';
import { escapeMarkup, resolveSections, stripForbidden, stripSchemaTags } from './repairs.ts';
import { readTree } from './tree-reader.ts';

const REPAIRS = [stripForbidden, resolveSections, stripSchemaTags, escapeMarkup];
const DOCTYPE = /<!(?:DOCTYPE|ENTITY)/i;
const DECLARATION = /^\s*<\?xml[^<>]{0,200}>["']?/;
const PROPER_DECLARATION =
  /^<\?xml\s+version\s*=\s*(["'])1\.[01]\1(?:\s+encoding\s*=\s*(["'])[A-Za-z][\w.-]*\2)?(?:\s+standalone\s*=\s*(["'])(?:yes|no)\3)?\s*\?>$/;

/**
 * The second pass over a document that is not well-formed: repairs what cannot change a figure, each repair a warning,
 * and reads the result. A root that does not close is refused: some of its records are missing. (rules,
 * reading-reports/encodings-and-broken-xml)
 */
export function readLenient(text: string, context: ReadContext): (ReportReading | ReportError)[] {
  if (DOCTYPE.test(text)) throw new ReportError('xml_doctype', 'the document has a document type declaration');
  const { repaired, codes } = repair(text);
  const { segments, after } = feedbackSegments(repaired);
  if (segments.length === 0) throw new ReportError('not_feedback', 'there is no DMARC feedback in the document');
  if (after.trim() !== '') codes.push('xml_trailing_garbage');
  if (segments.length > 1) codes.push('multiple_feedback');
  if (segments.some(({ before }) => before.trim() !== '')) codes.push('xml_leading_junk');
  if (codes.length === 0) codes.push('xml_not_well_formed');
  return segments.flatMap((segment) => readSegment(segment, codes, context));
}

function repair(text: string): { repaired: string; codes: string[] } {
  const codes: string[] = [];
  const declaration = DECLARATION.exec(text)?.[0] ?? '';
  if (declaration !== '' && !PROPER_DECLARATION.test(declaration.trim())) codes.push('xml_declaration_malformed');
  let repaired = text.slice(declaration.length);
  for (const step of REPAIRS) {
    if (step === escapeMarkup) refuseLongText(repaired);
    const result = step(repaired);
    repaired = result.text;
    if (result.code) codes.push(result.code);
  }
  return { repaired, codes };
}

/**
 * Refuses text without markup that exceeds the limit of a text: a repair would only lengthen it, and no reader takes
 * it.
 */
function refuseLongText(text: string): void {
  for (let from = 0; from < text.length;) {
    const next = text.indexOf('<', from);
    const end = next < 0 ? text.length : next;
    if (end - from > MAX_TEXT_LENGTH)
      throw new ReportError('xml_text_too_long', 'a text is longer than any reporter writes');
    from = end + 1;
  }
}

function readSegment(segment: Segment, codes: string[], context: ReadContext): (ReportReading | ReportError)[] {
  if (!segment.isClosed) return [new ReportError('xml_truncated', 'the document ends before its report does')];
  try {
    return readRepaired(segment.text, context).map((outcome) =>
      outcome instanceof ReportError ? outcome : withCodes(outcome, codes),
    );
  } catch (error) {
    if (error instanceof ReportError) return [error];
    throw error;
  }
}

/** A tree costs ten times as much as the strict parser, which takes nearly all that was repaired. */
function readRepaired(text: string, context: ReadContext): (ReportReading | ReportError)[] {
  try {
    return readStrictly(text, context);
  } catch (error) {
    if (!(error instanceof NotWellFormed)) throw error;
    if (text.length > TREE_LIMIT)
      throw new ReportError('xml_malformed', `the XML is not well-formed: ${error.message}`, { cause: error });
  }
  const sink = new WholeSink(Buffer.from(text), context);
  readTree(text, new ReportCollector(sink));
  return sink.outcomes;
}

function readStrictly(text: string, context: ReadContext): (ReportReading | ReportError)[] {
  const sink = new WholeSink(Buffer.from(text), context);
  const parser = StrictParser.for(new ReportCollector(sink));
  parser.write(text);
  parser.close();
  return sink.outcomes;
}

function withCodes(reading: ReportReading, codes: string[]): ReportReading {
  return { ...reading, warnings: [...codes.map((code) => ({ code, detail: null })), ...reading.warnings] };
}
