import type { RecordsWriting, ReportCopy, ReportVersion } from '@dmarc-ledger/ledger';
import {
  type OrganizationalDomain,
  publicSuffixDomains,
  type RecordAlignment,
  type ReportRecord,
} from '@dmarc-ledger/dmarc';
import { type SeenPlace, SeenReport } from './seen-report.ts';
import { SeenSources } from './seen-sources.ts';

/** What the records of a stored report show, gathered while they were written. */
export interface RecentReport {
  report: SeenReport;
  sources: SeenSources;
}

/** Bytes that are kept at most, as `bytesOf` counts them. */
const KEPT = 64 * 1024 ** 2;
/** What a report, and a record or one of its results, take besides names. The first bounds the number of reports. */
const A_REPORT = 32 * 1024;
const A_RECORD = 100;
/** What no job has asked for by then is not kept any longer than there is need: another process has judged it. */
const WANTED_FOR_MS = 60_000;
/** The version that a report is stored with. */
const FIRST_VERSION = 1;

/**
 * Keeps what the records of new reports show until this process judges them, so that it need not read them back. What
 * is not kept, or has changed since, is read from the tables: losing it costs time alone.
 */
export class RecentReports {
  readonly #organizationalDomain: OrganizationalDomain;
  readonly #most: number;
  readonly #kept = new Map<string, RecentReport & { since: number; bytes: number }>();
  #bytes = 0;

  constructor({ organizationalDomain = publicSuffixDomains(), most = KEPT } = {}) {
    this.#organizationalDomain = organizationalDomain;
    this.#most = most;
  }

  /** To be passed on to what writes the records of a new report. */
  write({ id, domainId, day, header }: Pick<ReportCopy, 'id' | 'domainId' | 'day' | 'header'>): WrittenReport {
    const place = { domainId, day, policy: header.policyPublished };
    return new WrittenReport(id, this.#most, () => new SeenReport(place, this.#organizationalDomain));
  }

  /** Keeps what was written by a transaction that is committed. When there is too much, what came first stays. */
  keep({ id, seen, bytes }: WrittenReport): void {
    if (!seen) return;
    const now = performance.now();
    for (const [oldest, { since }] of this.#kept) {
      if (now - since < WANTED_FOR_MS) break;
      this.#remove(oldest);
    }
    if (this.#bytes + bytes > this.#most) return;
    this.#bytes += bytes;
    this.#kept.set(id, { ...seen, since: now, bytes });
  }

  /** What was kept of a report, once; undefined when its records, or its policy, are not those that were written. */
  take(stored: ReportVersion & SeenPlace): RecentReport | undefined {
    const recent = this.#remove(stored.id);
    return stored.version === FIRST_VERSION && recent?.report.isOf(stored) ? recent : undefined;
  }

  #remove(id: string) {
    const recent = this.#kept.get(id);
    if (recent && this.#kept.delete(id)) this.#bytes -= recent.bytes;
    return recent;
  }
}

/** Gathers what the records of a report show while they are written. */
export class WrittenReport implements RecordsWriting {
  readonly id: string;
  readonly #most: number;
  readonly #begin: () => SeenReport;
  #seen: RecentReport | undefined;
  #bytes = 0;

  constructor(id: string, most: number, begin: () => SeenReport) {
    this.id = id;
    this.#most = most;
    this.#begin = begin;
  }

  /** Undefined when the records were not written, or show too much to be kept. */
  get seen(): RecentReport | undefined {
    return this.#seen;
  }

  get bytes(): number {
    return this.#bytes;
  }

  begin(): void {
    this.#bytes = A_REPORT;
    this.#seen = { report: this.#begin(), sources: new SeenSources() };
  }

  add(record: ReportRecord, alignment: RecordAlignment, position: number): void {
    if (!this.#seen) return;
    this.#bytes += bytesOf(record);
    if (this.#bytes > this.#most) {
      this.#seen = undefined;
      return;
    }
    this.#seen.report.add(record, alignment, position);
    this.#seen.sources.add(record);
  }
}

/** What can be kept of a record, were none of its names known: a stranger chooses how many there are, and how long. */
function bytesOf({ identifiers, authResults: { dkim, spf } }: ReportRecord): number {
  const names = (dkim ?? []).reduce((sum, { domain, selector }) => sum + lengthOf(domain) + lengthOf(selector), 0);
  const domains = (spf ?? []).reduce((sum, { domain }) => sum + lengthOf(domain), 0);
  const results = (dkim?.length ?? 0) + (spf?.length ?? 0);
  return A_RECORD * (1 + results) + 2 * (names + domains + identifiers.headerFrom.length);
}

const lengthOf = (name: string | null) => name?.length ?? 0;
