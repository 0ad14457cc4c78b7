import type { Day, Warning } from '@dmarc-ledger/vocabulary';

/** What one provider did with the mail of one signing domain and selector on one day. */
export interface AprfReport {
  source: string;
  /** `*.` before the name when subdomains are rolled up, `*` as selector when selectors are. */
  dkimDomain: string;
  dkimSelector: string;
  /** The provider's own version of how it counts: figures of two versions do not compare. */
  version: string;
  sdiUsed: string;
  extraInfo: string;
  contact: string | null;
  day: Day;
  begin: number;
  end: number | null;
  rows: AprfRow[];
  warnings: Warning[];
}

/** One segment. Figures may be the upper bounds of buckets: they are never added up, nor divided by each other. */
export interface AprfRow {
  /** From coarse to fine; empty when the report is not segmented. */
  segment: string[];
  /** Null for a part that is absent. */
  classification: AprfEntry[] | null;
  engagement: AprfEntry[] | null;
}

/** A category as the provider named it; entries are in document order. */
export interface AprfEntry {
  category: string;
  value: number;
}
