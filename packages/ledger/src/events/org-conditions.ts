import type { Db } from '@dmarc-ledger/schema';
import { judgeKey, judgeQuota, judgeUnread } from '@dmarc-ledger/scoring';
import { idText } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';
import { HELD_CODE, IMPORT_HELD_CODE } from '../intake/unauthenticated-codes.ts';
import { findQuotaUse } from '../usage/quota-use.ts';
import type { OrgCondition } from './keep-conditions.ts';

/** Returns organizations that sent more than a few unreadable attachments within a day. */
export async function findUnread(db: Db): Promise<OrgCondition[]> {
  const { rows } = await sql<{ orgId: string; attachments: number }>`
    select org_id as "orgId", sum(greatest(1, (
      select count(*) from jsonb_array_elements(coalesce(parts, '[]')) as part
        where part ->> 'outcome' = 'refused')))::bigint as attachments
    from raw_message where code is not null and code not in ('unknown_domain', ${HELD_CODE}, ${IMPORT_HELD_CODE})
      and state <> 'duplicate' and finished_at > now() - interval '24 hours'
    group by org_id`.execute(db);
  return rows.flatMap(({ orgId, attachments }) => judgeUnread(attachments).map((condition) => ({ orgId, condition })));
}

/** Returns keys that expire within two weeks. */
export async function findExpiringKeys(db: Db): Promise<OrgCondition[]> {
  const { rows } = await sql<{ orgId: string; id: string; name: string; expiresAt: Date; now: Date }>`
    select k.org_id as "orgId", k.id, case when k.name = '' then 'The key ' || k.prefix else k.name end as name,
      k.expires_at as "expiresAt", ledger_now() as now
    from api_key k where k.revoked_at is null and k.expires_at > ledger_now()
      and k.expires_at <= ledger_now() + interval '14 days'`.execute(db);
  return rows.flatMap(({ orgId, id, ...key }) =>
    judgeKey({ id: idText(id), ...key }).map((condition) => ({ orgId, condition })),
  );
}

/** Returns organizations that have nearly used up the requests of this hour. */
export async function findNearQuota(db: Db): Promise<OrgCondition[]> {
  const { rows } = await sql<{ now: Date }>`select ledger_now() as now`.execute(db);
  const [{ now }] = rows as [{ now: Date }]; // the query returns one row
  const uses = await findQuotaUse(db, now);
  return uses.flatMap(({ orgId, ...use }) => judgeQuota({ ...use, now }).map((condition) => ({ orgId, condition })));
}
