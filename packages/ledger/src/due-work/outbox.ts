import type { JobEntry } from '@dmarc-ledger/queues';
import { type Database, type Db, transact } from '@dmarc-ledger/schema';
import { sql } from 'kysely';

/**
 * Passes the oldest announced work to `dispatch`, and deletes the entries once it has returned. After a crash in
 * between they are dispatched again, which is harmless. Returns how many entries were dispatched. Relays may run
 * concurrently.
 */
export async function relayOutbox(
  database: Database,
  limit: number,
  dispatch: (entries: JobEntry[]) => Promise<void>,
): Promise<number> {
  return await transact(database, async ({ db }) => {
    const rows = await db
      .selectFrom('outbox')
      .select(['id', 'job', 'payload'])
      .orderBy('id')
      .limit(limit)
      .forUpdate()
      .skipLocked()
      .execute();
    if (rows.length === 0) return 0;
    await dispatch(rows);
    await db
      .deleteFrom('outbox')
      .where(
        'id',
        'in',
        rows.map(({ id }) => id),
      )
      .execute();
    return rows.length;
  });
}

/**
 * Announces work again that has waited longer than `age` although it was queued, longest wait first, and not again
 * before the age has passed once more. Returns how many jobs were announced, by name.
 */
export async function reannounceStale(
  { db }: { db: Db },
  olderThanSeconds: number,
  limit: number,
): Promise<{ job: string; count: number }[]> {
  const { rows } = await sql<{ job: string; count: number }>`
    with picked as (
      select org_id, report_id from unjudged_report where since < now() - make_interval(secs => ${olderThanSeconds})
      order by since limit ${limit} for update skip locked
    ), stale as (
      update unjudged_report u set since = now() from picked p
      where u.org_id = p.org_id and u.report_id = p.report_id
      returning u.org_id, u.report_id, u.step
    ), copies as (
      select org_id, report_id, payload_sha256 from report_revision
      where not settled and coalesce(announced_at, received_at) < now() - make_interval(secs => ${olderThanSeconds})
      order by coalesce(announced_at, received_at) limit ${limit} for update skip locked
    ), unsettled as (
      update report_revision v set announced_at = now() from copies c
      where v.org_id = c.org_id and v.report_id = c.report_id and v.payload_sha256 = c.payload_sha256
      returning v.org_id, v.report_id
    ), waiting as (
      select org_id, source_ip from unjudged_source where since < now() - make_interval(secs => ${olderThanSeconds})
      order by since limit ${limit} for update skip locked
    ), again as (
      update unjudged_source u set since = now() from waiting w
      where u.org_id = w.org_id and u.source_ip = w.source_ip returning u.org_id, u.source_ip
    ), sources as (
      select org_id, source_ip, (row_number() over (partition by org_id) - 1) / 50 as chunk from again
    ), dirty as (
      select distinct org_id from rollup_dirty where since < now() - make_interval(secs => ${olderThanSeconds})
    ), signatures as (
      select distinct org_id, domain_id from unjudged_signature
        where since < now() - make_interval(secs => ${olderThanSeconds})
    ), announced as (
    insert into outbox (id, org_id, job, payload)
    select gen_random_uuid(), org_id, case step when 'reread' then 'rereadReports' when 'align' then 'alignReports'
      else 'classifyReports' end, jsonb_build_object('orgId', org_id, 'reportIds', jsonb_agg(report_id))
    from (select *, (row_number() over (partition by org_id, step) - 1) / 100 as chunk from stale) s
      group by org_id, step, chunk
    union all
    select gen_random_uuid(), org_id, 'settleReport', jsonb_build_object('orgId', org_id, 'reportId', report_id)
    from (select distinct org_id, report_id from unsettled) u
    union all
    select gen_random_uuid(), org_id, 'judgeSources',
      jsonb_build_object('orgId', org_id, 'addresses', jsonb_agg(host(source_ip)))
    from sources group by org_id, chunk
    union all
    select gen_random_uuid(), org_id, 'repairRollups', jsonb_build_object('orgId', org_id) from dirty
    union all
    select gen_random_uuid(), org_id, 'judgeSignatures', jsonb_build_object('orgId', org_id, 'domainId', domain_id)
      from signatures
    returning job)
    select job, count(*) as count from announced group by job`.execute(db);
  return rows;
}
