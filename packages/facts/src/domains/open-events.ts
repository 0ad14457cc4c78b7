import type { Db } from '@dmarc-ledger/schema';
import type { OpenEvent } from '@dmarc-ledger/scoring';
import { alertTypes } from '@dmarc-ledger/vocabulary';

const ACTIONABLE = alertTypes.filter((type) => type.actionable).map(({ code }) => code);

/**
 * Returns all open events that require action: of the organization, of one of its domains by name, or by an empty name
 * those that concern no domain. However many other events are open, none is left out. (rules,
 * action-items/order-of-items)
 */
export async function findOpenEvents(
  db: Db,
  orgId: string,
  domain?: string,
): Promise<(OpenEvent & { domain: string })[]> {
  return await db
    .selectFrom('event')
    .select(['domain', 'type', 'severity', 'title', 'message', 'link', 'created_at as createdAt'])
    .where('org_id', '=', orgId)
    .where('resolved_at', 'is', null)
    .where('acknowledged_at', 'is', null)
    .where('type', 'in', ACTIONABLE)
    .$if(domain !== undefined, (query) => query.where('domain', '=', domain!))
    .execute();
}
