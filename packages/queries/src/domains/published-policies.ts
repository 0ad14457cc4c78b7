import { countsStill, lastAnswer, type StoredCheck } from '@dmarc-ledger/facts';
import type { Db } from '@dmarc-ledger/schema';
import { recordFaultOf } from '@dmarc-ledger/scoring';
import { fieldsOf, type EffectivePolicy } from '@dmarc-ledger/vocabulary';

/** What a check of the last week has read of a domain's DMARC policy. */
export interface PublishedPolicy {
  /** Absent where none was read. */
  policy?: EffectivePolicy;
  /** What is wrong where several records or a broken one stand: they have no policy, whatever reports say. */
  fault?: string;
  /** The domain above whose record applies. */
  inheritedFrom?: string;
  /** The record by which our host would accept reports about the domain, where it is missing. (RFC 9990, 4) */
  permissionMissing?: string;
  /** True if neither the domain nor a parent has a record: what reports say of the policy was published before. */
  isUnpublished: boolean;
}

/** Returns what is published for an organization's domains, by name; nothing about those that no check says it of. */
export async function findPublishedPolicies(
  db: Db,
  orgId: string,
  { now, domainId }: { now: Date; domainId?: string },
): Promise<Map<string, PublishedPolicy>> {
  const rows = await db
    .selectFrom('domain_check as c')
    .innerJoin('domain as d', (join) => join.onRef('d.org_id', '=', 'c.org_id').onRef('d.id', '=', 'c.domain_id'))
    .select(['d.name', 'c.status', 'c.has_record', 'c.checked_at', 'c.policy', 'c.policy_read_at', 'c.inherited_from'])
    .select(['c.facts', 'c.kept', 'c.details'])
    .where('c.org_id', '=', orgId)
    .$if(domainId !== undefined, (query) => query.where('c.domain_id', '=', domainId ?? ''))
    .where('c.subject', '=', 'dmarc')
    .execute();
  return new Map(
    rows.flatMap((newest) => {
      const row = lastAnswer(newest, now);
      return row ? [[row.name, publishedBy(row, now)] as const] : [];
    }),
  );
}

type Row = Pick<
  StoredCheck,
  'status' | 'details' | 'has_record' | 'policy' | 'policy_read_at' | 'inherited_from' | 'facts'
>;

function publishedBy(row: Row, now: Date): PublishedPolicy {
  const { status, has_record: hasRecord, details, policy, policy_read_at: readAt, inherited_from: inheritedFrom } = row;
  const { permissionMissing } = fieldsOf(row.facts);
  const fault = recordFaultOf({ status, details, hasRecord });
  return {
    ...(policy && readAt && countsStill(readAt, now) && { policy: { ...policy, sp: policy.sp ?? undefined } }),
    ...(fault !== undefined && { fault }),
    ...(inheritedFrom !== null && { inheritedFrom }),
    ...(typeof permissionMissing === 'string' && { permissionMissing }),
    isUnpublished: status === 'error' && !hasRecord,
  };
}
