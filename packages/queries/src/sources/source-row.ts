import type { SourceSums } from '@dmarc-ledger/facts';

export interface SourceRow extends SourceSums {
  /** The canonical form. */
  source_ip: string;
  /** As the newest report wrote it, where that differs. */
  source_text?: string | null | undefined;
}

export interface SourceListRow extends SourceRow {
  /** The canonical form. */
  address: string;
  /** Names in ascending order, joined by commas. */
  domains: string;
}
