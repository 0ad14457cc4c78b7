import { findEnforcementStages, type EnforcementStage } from '@dmarc-ledger/queries';
import type { RequestNeeds } from '../define-route.ts';
import { whileUnchanged, type UnchangedNeeds } from '../while-unchanged.ts';

/** Where each domain stands on the path to reject. Kept while nothing has changed for the organization. */
export async function enforcementStages(
  needs: UnchangedNeeds & Pick<RequestNeeds, 'caches'>,
  days: number,
): Promise<EnforcementStage[]> {
  const { caller, today, now, caches } = needs;
  return await whileUnchanged(needs, { cache: caches.enforcementStages, key: [days] }, (own) =>
    findEnforcementStages(own, caller.orgId, { days, today, now }),
  );
}
