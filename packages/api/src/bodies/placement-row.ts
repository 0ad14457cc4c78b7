import type { Placement } from '@dmarc-ledger/facts';

/** A row of a placement report as JSON. */
export function toPlacement(row: Placement) {
  return {
    day: row.day,
    source: row.source,
    dkim_domain: row.dkimDomain,
    dkim_selector: row.dkimSelector,
    version: row.version,
    sdi_used: row.sdiUsed,
    extra_info: row.extraInfo,
    segment: row.segment,
    classification: row.classification,
    engagement: row.engagement,
  };
}
