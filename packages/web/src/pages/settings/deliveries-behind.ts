import type { DeliveryCount } from '@dmarc-ledger/queries';
import type { Day } from '@dmarc-ledger/vocabulary';

/** In place of a code: deliveries without one. */
export const WITHOUT_CODE = 'none';

/** The address of the deliveries since a day, or of those that a number counts. */
export function deliveriesBehind(from: Day, count?: Pick<DeliveryCount, 'state' | 'code'>): string {
  const query = new URLSearchParams({ from, ...(count && { state: count.state, code: count.code ?? WITHOUT_CODE }) });
  return `/settings/ingest?${query.toString()}`;
}
