import type { Db } from '@dmarc-ledger/schema';
import { hourBegin } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';

/** Counts to add to the usage of one key in one clock hour. */
export interface NewUsage {
  orgId: string;
  keyId: string;
  /** Hours since 1970-01-01 00:00 UTC. */
  hour: number;
  requests: number;
  rejected: number;
  errors: number;
}

/** Adds counts once: a batch that was added before, or that another process is adding, adds nothing. */
export async function addUsage(db: Db, batchId: string, counts: readonly NewUsage[]): Promise<void> {
  await sql`
    with fresh as (insert into usage_batch (id) values (${batchId}) on conflict do nothing returning id)
    insert into usage_hour (org_id, hour, key_id, requests, rejected, errors)
    select added.* from fresh, unnest(
      ${counts.map(({ orgId }) => orgId)}::uuid[], ${counts.map(({ hour }) => hourBegin(hour))}::timestamptz[],
      ${counts.map(({ keyId }) => keyId)}::uuid[], ${counts.map(({ requests }) => requests)}::bigint[],
      ${counts.map(({ rejected }) => rejected)}::bigint[], ${counts.map(({ errors }) => errors)}::bigint[]
    ) as added (org_id, hour, key_id, requests, rejected, errors)
    where exists (select from api_key where api_key.org_id = added.org_id and api_key.id = added.key_id)
    order by added.org_id, added.hour, added.key_id
    on conflict (org_id, hour, key_id) do update set requests = usage_hour.requests + excluded.requests,
      rejected = usage_hour.rejected + excluded.rejected, errors = usage_hour.errors + excluded.errors
  `.execute(db);
}

/** Records when keys were used; a later stored instant stays. */
export async function noteKeyUse(db: Db, uses: readonly { orgId: string; keyId: string; at: Date }[]): Promise<void> {
  const inOrder = uses.toSorted((a, b) => (a.orgId + a.keyId < b.orgId + b.keyId ? -1 : 1));
  await sql`
    with used as materialized (
      select api_key.org_id, api_key.id, given.at
      from unnest(${inOrder.map(({ orgId }) => orgId)}::uuid[], ${inOrder.map(({ keyId }) => keyId)}::uuid[],
        ${inOrder.map(({ at }) => at)}::timestamptz[]) as given (org_id, id, at)
      join api_key on api_key.org_id = given.org_id and api_key.id = given.id
      where api_key.last_used_at is null or api_key.last_used_at < given.at
      order by api_key.org_id, api_key.id
      for update of api_key
    )
    update api_key set last_used_at = greatest(api_key.last_used_at, used.at)
    from used where api_key.org_id = used.org_id and api_key.id = used.id
  `.execute(db);
}

/** A batch is sent again within minutes, or not at all. */
const KEPT_DAYS = 7;

/** Deletes the records of old batches. */
export async function forgetUsageBatches(db: Db): Promise<void> {
  await sql`delete from usage_batch where at < now() - make_interval(days => ${KEPT_DAYS})`.execute(db);
}
