import { repairDirtyKeys } from '@dmarc-ledger/ledger';
import type { Database } from '@dmarc-ledger/schema';
import { failPoint } from '@dmarc-ledger/vocabulary';

const KEYS_AT_ONCE = 500;

/** Recomputes every dirty key of an organization. Running it again, or twice at a time, changes nothing. */
export async function repairRollups({ database }: { database: Database }, { orgId }: { orgId: string }): Promise<void> {
  while ((await repairDirtyKeys(database, orgId, KEYS_AT_ONCE)) > 0) await failPoint('F16');
}
