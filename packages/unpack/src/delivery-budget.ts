import { RecordBudgetError, UnpackError } from './errors.ts';
import {
  AT_ONCE_FREE,
  AT_ONCE_RATIO,
  MAX_ARCHIVE_ENTRIES,
  MAX_DOCUMENTS,
  MAX_INFLATED,
  MAX_NESTED_MESSAGES,
  MAX_RATIO,
  MAX_RECORDS_OF_DELIVERY,
  MAX_REPORTS_OF_DELIVERY,
  MAX_STREAMED,
  OWNERS_ARCHIVE_ENTRIES,
  OWNERS_DOCUMENTS,
  OWNERS_INFLATED,
  RATIO_FREE,
} from './limits.ts';

/** The limits of a delivery, by its kind of sender. */
export interface Allowance {
  /** In all layers together. */
  documents: number;
  /** Of one archive. */
  members: number;
  /** Inflated bytes in all layers together. */
  inflated: number;
  /** Bytes of documents that can only be read in one go: always, and for each byte of the delivery. */
  atOnce: { free: number; ratio: number };
}

/** A mail, which anybody may send. */
export const mailAllowance: Allowance = {
  documents: MAX_DOCUMENTS,
  members: MAX_ARCHIVE_ENTRIES,
  inflated: MAX_INFLATED,
  atOnce: { free: AT_ONCE_FREE, ratio: AT_ONCE_RATIO },
};

/** A file or upload of the ledger's own organization: one zip may be the archive of years. */
export const ownersAllowance: Allowance = {
  documents: OWNERS_DOCUMENTS,
  members: OWNERS_ARCHIVE_ENTRIES,
  inflated: OWNERS_INFLATED,
  atOnce: { free: OWNERS_INFLATED, ratio: 0 },
};

/** Counts what is read of one content, bytes or records: each once, however often the content is read. */
export interface Meter {
  /** @param total the number read since the begin of the content */
  reach(total: number): void;
}

function meter(count: (more: number, total: number) => void): Meter {
  let highest = 0;
  return {
    reach(total) {
      const more = total - highest;
      if (more <= 0) return;
      count(more, total); // what is refused is refused again the next time
      highest = total;
    },
  };
}

/**
 * The limits of a delivery, from its first byte to its last record: the budget goes with the delivery through all
 * layers, so that a limit cannot be multiplied by packing things into each other. Exceeding a limit throws, and ends
 * the delivery.
 */
export class DeliveryBudget {
  readonly allowance: Allowance;
  readonly #ratioLimit: number;
  readonly #atOnceLimit: number;
  #inflated = 0;
  #atOnce = 0;
  #documents = 0;
  #nested = 0;
  #reports = 0;
  #records = 0;
  #stored = 0;
  #storedNow = Infinity;
  #isSpent = false;
  #stopping: AbortSignal | undefined;

  /** `size`: bytes of the delivery itself, which inflation is measured against. */
  constructor(size: number, allowance: Allowance) {
    this.allowance = allowance;
    this.#ratioLimit = Math.max(RATIO_FREE, size * MAX_RATIO);
    this.#atOnceLimit = Math.max(allowance.atOnce.free, size * allowance.atOnce.ratio);
  }

  /** True once a limit was exceeded: the rest of the delivery is not opened. */
  get isSpent(): boolean {
    return this.#isSpent;
  }

  /** Bytes that may still be inflated out of one content. */
  get inflatable(): number {
    return Math.min(MAX_STREAMED, this.#ratioLimit - this.#inflated, this.allowance.inflated - this.#inflated);
  }

  /** Counts the bytes of one content. */
  meter(): Meter {
    return meter((bytes, total) => {
      this.#inflate(bytes);
      if (total > MAX_STREAMED) this.#end('payload_too_large', `inflates to more than ${MAX_STREAMED} bytes`);
    });
  }

  /** Counts a document that is opened. */
  countDocument(): void {
    this.#stopping?.throwIfAborted();
    this.#documents += 1;
    const most = this.allowance.documents;
    if (this.#documents > most) this.#end('too_many_documents', `more than ${most} documents; the first are taken`);
  }

  /** Counts a message of so many bytes that is opened inside another. */
  countNestedMessage(bytes: number): void {
    this.#nested += bytes;
    if (this.#nested > MAX_NESTED_MESSAGES)
      this.#end('message_too_large', `the messages in it have more than ${MAX_NESTED_MESSAGES} bytes`);
  }

  /**
   * Whether a document of so many bytes may be read in one go, which costs many times what a stream does: broken XML,
   * and JSON. Only what may counts, so that a smaller document behind it is read.
   */
  mayReadAtOnce(bytes: number): boolean {
    if (this.#atOnce + bytes > this.#atOnceLimit) return false;
    this.#atOnce += bytes;
    return true;
  }

  /** Counts a report that was read, or refused by itself. */
  countReport(): void {
    this.#reports += 1;
    if (this.#reports > MAX_REPORTS_OF_DELIVERY)
      this.#end('too_many_reports', `more than ${MAX_REPORTS_OF_DELIVERY} reports; the first are taken`);
  }

  /** From now on more stored records than this end the delivery for now, with `RecordBudgetError`. */
  allowNow(records: number): void {
    this.#storedNow = records;
  }

  /** Aborted when reading is to end before the delivery does. */
  get stopping(): AbortSignal | undefined {
    return this.#stopping;
  }

  /** From now on reading ends with the signal's reason once it is aborted. */
  stopOn(signal: AbortSignal): void {
    this.#stopping = signal;
  }

  /** Counts the records of one report. */
  recordMeter(): Meter {
    return meter((count) => {
      this.#stopping?.throwIfAborted();
      this.#records += count;
      if (this.#records > MAX_RECORDS_OF_DELIVERY)
        this.#end('too_many_records', `more than ${MAX_RECORDS_OF_DELIVERY} records in the delivery`);
    });
  }

  /** The same for records that the organization of the delivery stores: those of others are not its own. */
  storedMeter(): Meter {
    return meter((count) => {
      if (this.#stored + count > this.#storedNow)
        throw new RecordBudgetError('record_budget', `more than ${this.#storedNow} records, which may come tomorrow`);
      this.#stored += count;
    });
  }

  #inflate(bytes: number): void {
    this.#stopping?.throwIfAborted();
    this.#inflated += bytes;
    if (this.#inflated > this.allowance.inflated)
      this.#end('payload_too_large', `inflates to more than ${this.allowance.inflated} bytes`);
    if (this.#inflated > this.#ratioLimit)
      this.#end('inflation_ratio', `inflates to more than ${MAX_RATIO} times its size`);
  }

  #end(code: UnpackError['code'], message: string): never {
    this.#isSpent = true;
    throw new UnpackError(code, message);
  }
}
