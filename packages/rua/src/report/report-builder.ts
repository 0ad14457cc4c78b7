import { WarningList, type Warning } from '@dmarc-ledger/vocabulary';
import type { PolicyPublished, ReportHeader, ReportRecord } from '@dmarc-ledger/dmarc';
import { ReportError } from '../errors.ts';
import { MAX_MESSAGES } from '../limits.ts';
import { readCount } from '../values/read-count.ts';
import type { Warn } from '../values/warn.ts';
import type { RawFeedback, RawRecord } from '../xml/raw-report.ts';
import { placeOf } from './document-order.ts';
import { isRfc9990, isUnexpectedNamespace } from './generation.ts';
import { readRecord } from './read-record.ts';

/** Builds a report's model from its raw parts, in document order, and collects warnings about it. */
export class ReportBuilder {
  readonly #namespace: string | undefined;
  readonly #take: (record: ReportRecord) => void;
  readonly #warnings = new WarningList();
  readonly #seen7489 = { scope: false, envelopeFrom: false };
  readonly #redacted = { records: 0, messages: 0, first: 0 };
  #policy: PolicyPublished | null = null;
  #rfc9990 = false;
  #records = 0;
  /** Messages so far. */
  #messages = 0;
  #position: number | null = null;
  /** A first record without messages: alone it makes a null report. */
  #first: RawRecord | null = null;

  constructor(namespace: string | undefined, take: (record: ReportRecord) => void) {
    this.#namespace = namespace;
    this.#take = take;
    if (isUnexpectedNamespace(namespace)) this.warnAt('namespace_unexpected', null, null);
  }

  warnAt(code: string, detail: string | null, position: number | null): void {
    this.#warnings.add(code, detail, position);
  }

  /** The header is known: records can be read from now on. */
  begin(header: ReportHeader, feedback: RawFeedback): void {
    this.#policy = header.policyPublished;
    this.#rfc9990 = isRfc9990(this.#namespace, feedback, header);
  }

  record(raw: RawRecord, position: number): void {
    this.#records += 1;
    if (this.#records === 1 && isNull(raw)) {
      this.#first = raw;
      return;
    }
    if (this.#first) this.#read(this.#first, 1);
    this.#first = null;
    this.#read(raw, position);
  }

  /**
   * All warnings, in document order; to be called once, after the last record. (rules,
   * reading-reports/treatment-of-departures)
   */
  finish(feedback: RawFeedback): Warning[] {
    if (this.#first) this.#warn('null_report');
    else if (this.#records === 0) this.#warn('records_missing');
    const { records, messages, first } = this.#redacted;
    if (records > 0) this.#warn('source_ip_redacted', `${messages} messages in ${records} records`);
    const looks7489 = feedback.policy_published?.fo != null || this.#seen7489.scope || this.#seen7489.envelopeFrom;
    if (feedback.version === null && looks7489 && !this.#rfc9990) this.#warn('version_missing');
    return this.#warnings.toArray((code, record) =>
      placeOf(code, code === 'source_ip_redacted' && records > 0 ? first : record),
    );
  }

  #read(raw: RawRecord, position: number): void {
    if (!this.#policy) return;
    this.#position = position;
    this.#note7489(raw);
    const record = readRecord(raw, { policy: this.#policy, rfc9990: this.#rfc9990 }, this.#warnRecord);
    if (!record) this.#countRedacted(raw);
    else {
      this.#messages += record.count;
      if (this.#messages > MAX_MESSAGES)
        throw new ReportError('count_implausible', `the report counts more than ${MAX_MESSAGES} messages`);
      this.#take(record);
    }
    this.#position = null;
  }

  readonly #warn: Warn = (code, detail = null) => this.#warnings.add(code, detail, this.#position);

  /** The lost messages of redacted addresses are counted, and warned about once, at the end. */
  readonly #warnRecord: Warn = (code, detail) => {
    if (code !== 'source_ip_redacted') return this.#warn(code, detail);
    if (this.#redacted.records === 0) this.#redacted.first = this.#position ?? 0;
    this.#redacted.records += 1;
  };

  #countRedacted(raw: RawRecord): void {
    if (this.#redacted.records > 0 && /^\s*x+\./i.test(raw.row?.source_ip ?? '')) {
      this.#redacted.messages += readCount(raw.row?.count ?? null, () => undefined) ?? 0;
    }
  }

  #note7489({ identifiers, auth_results }: RawRecord): void {
    if (identifiers && identifiers.envelope_from !== null) this.#seen7489.envelopeFrom = true;
    if (auth_results?.spf?.[0] && auth_results.spf[0].scope !== null) this.#seen7489.scope = true;
  }
}

/** The record that regional reporters send for a day without mail: no count, and mostly no address. */
function isNull({ row }: RawRecord): boolean {
  const count = row?.count?.trim() ?? '';
  return row !== null && (/^0+$/.test(count) || (count === '' && (row.source_ip?.trim() ?? '') === ''));
}
