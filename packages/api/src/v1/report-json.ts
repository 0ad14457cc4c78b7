import type { RecordVerdict } from '@dmarc-ledger/dmarc';
import type { ReportHead, StoredRecord } from '@dmarc-ledger/queries';
import { toFailureSummary, toRecord, toReportHead, verdictOf } from './report-wire.ts';

/**
 * Yields a report as JSON in chunks: the records as they are read, then the verdicts, which are collected meanwhile.
 * Few verdicts differ, so a report of any size takes little memory and causes no long pause. (rules,
 * reading-reports/absent-values)
 */
export async function* reportJson(
  head: ReportHead,
  warnings: string[],
  batches: AsyncIterable<StoredRecord[]>,
): AsyncGenerator<string> {
  const verdicts = new Verdicts();
  yield `${JSON.stringify(toReportHead(head)).slice(0, -1)},"Records":`;
  let opened = false;
  for await (const batch of batches) {
    for (const record of batch) verdicts.add(verdictOf(record, head));
    yield (opened ? ',' : '[') + batch.map((record) => JSON.stringify(toRecord(record))).join(',');
    opened = true;
  }
  yield opened ? ']' : 'null';
  if (warnings.length > 0) yield `,"parse_warnings":${JSON.stringify(warnings)}`;
  yield ',"record_classifications":[';
  yield* joined(verdicts.classes);
  yield '],"record_alignment":[';
  yield* joined(verdicts.alignments);
  yield `],"failure_summary":${JSON.stringify(toFailureSummary(head))}}`;
}

/** The JSON of each record's verdicts, in order; equal texts are stored once. */
class Verdicts {
  readonly classes: string[] = [];
  readonly alignments: string[] = [];
  readonly #texts = new Map<string, string>();

  add({ class: judged, alignment }: RecordVerdict): void {
    this.classes.push(this.#once(JSON.stringify(judged)));
    this.alignments.push(this.#once(JSON.stringify({ spf: alignment.spf, dkim: alignment.dkim })));
  }

  #once(text: string): string {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    this.#texts.set(text, text);
    return text;
  }
}

const AT_A_TIME = 5_000;

function* joined(texts: string[]): Generator<string> {
  for (let at = 0; at < texts.length; at += AT_A_TIME) {
    yield (at > 0 ? ',' : '') + texts.slice(at, at + AT_A_TIME).join(',');
  }
}
