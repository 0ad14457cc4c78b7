import {
  alignRecord,
  classifyRecord,
  isCompliant,
  type PolicyPublished,
  type RecordAlignment,
  type ReportRecord,
} from '@dmarc-ledger/dmarc';
import type { ForwardedOfDay } from '../rollups/add-forwarded.ts';
import { copyColumns, type CopyValue } from './copy-text.ts';
import type { FactsOf } from './report-facts.ts';
import { detailOf, type RecordDetails } from './record-details.ts';

/** The report that records belong to. */
export interface RecordPlace {
  orgId: string;
  reportId: string;
  domainId: string;
  day: string;
  /** As far as it is known when the records are written: the judgement corrects what later parts change. */
  policy: PolicyPublished;
}

export const RECORD_COLUMNS = `stored_record (org_id, report_id, position, day, domain_id, source_ip, source_text,
  messages, envelope_to, dkim_pass, spf_pass, detail_id, disposition, header_from, envelope_from, reasons,
  dkim_results, spf_results, dkim_aligned, spf_aligned, class, proved)`;
const NO_OWN_DETAIL: readonly null[] = Array<null>(8).fill(null);

/** Records of a report that say the same are turned into text once, up to so many characters of different ones. */
const REMEMBERED = 1024 ** 2;

/** The class of a record that passes follows from its verdict; that of another waits for the judgement. */
const UNCLASSED = copyColumns([null, false]);

interface Written {
  alignment: RecordAlignment;
  /** The columns of the line after those of address, number and recipient, and before those of its class. */
  rest: string;
}

/**
 * The records of one report as lines for COPY, with what aligns: that follows from the record, the policy and the
 * suffix list alone. A failing one gets the class that follows from what is known of its source when it is written; the
 * judgement changes it where it knows more. Without facts, null, it waits for that.
 */
export class RecordLines {
  readonly #policy: PolicyPublished;
  readonly #details: RecordDetails;
  readonly #factsOf: FactsOf | null;
  readonly #report: string;
  readonly #day: string;
  readonly #known = new Map<string, Written>();
  readonly #forwarded: ForwardedOfDay;
  #characters = 0;

  constructor(
    { orgId, reportId, day, domainId, policy }: RecordPlace,
    details: RecordDetails,
    factsOf: FactsOf | null,
  ) {
    this.#policy = policy;
    this.#details = details;
    this.#factsOf = factsOf;
    this.#report = `${orgId}\t${reportId}\t`;
    this.#day = `\t${day}\t${domainId}\t`;
    this.#forwarded = { domain_id: domainId, day, forwarded: 0, proved: 0 };
  }

  /** The messages in the lines so far that are classed as forwarded. */
  get forwarded(): ForwardedOfDay {
    return this.#forwarded;
  }

  /** Returns the line of the record at this position, and what aligns in it. */
  write(record: ReportRecord, position: number): { line: string; alignment: RecordAlignment } {
    const { sourceIp, sourceIpText, count, identifiers } = record;
    const { alignment, rest } = this.#writtenOf(record);
    const text = sourceIpText === sourceIp ? null : sourceIpText;
    const own = copyColumns([sourceIp, text, count, identifiers.envelopeTo]);
    const classed = this.#classColumns(record, alignment);
    return { line: `${this.#report}${position}${this.#day}${own}\t${rest}\t${classed}\n`, alignment };
  }

  #classColumns(record: ReportRecord, alignment: RecordAlignment): string {
    if (!this.#factsOf || isCompliant(record.policyEvaluated)) return UNCLASSED;
    const { class: named, isProved } = classifyRecord(record, alignment, this.#factsOf(record.sourceIp));
    if (named === 'likely_forwarded') this.#forwarded.forwarded += record.count;
    if (isProved) this.#forwarded.proved += record.count;
    return copyColumns([named, isProved]);
  }

  #writtenOf(record: ReportRecord): Written {
    const { policyEvaluated, identifiers, authResults } = record;
    const content = JSON.stringify([policyEvaluated, { ...identifiers, envelopeTo: null }, authResults]);
    const known = this.#known.get(content);
    if (known) return known;
    const alignment = alignRecord(record, this.#policy);
    const written = { alignment, rest: this.#restOf(record, alignment) };
    this.#characters += content.length + written.rest.length;
    if (this.#characters <= REMEMBERED) this.#known.set(content, written);
    return written;
  }

  #restOf(record: ReportRecord, alignment: RecordAlignment): string {
    const { dkim, spf } = record.policyEvaluated;
    const detail = detailOf(record, alignment);
    const id = this.#details.share(detail);
    const own = id === undefined ? columnsOf(detail) : NO_OWN_DETAIL;
    return copyColumns([dkim === 'pass', spf === 'pass', id ?? null, ...own]);
  }
}

/** A detail that is not shared, as columns. */
function columnsOf(detail: ReturnType<typeof detailOf>): CopyValue[] {
  const { disposition, header_from, envelope_from, reasons, dkim_results, spf_results } = detail;
  const { dkim_aligned, spf_aligned } = detail;
  return [
    disposition,
    header_from,
    envelope_from,
    ...[reasons, dkim_results, spf_results].map((list) => list && JSON.stringify(list)),
    ...[dkim_aligned, spf_aligned].map((list) => list && `{${list.map((flag) => (flag ? 't' : 'f')).join()}}`),
  ];
}
