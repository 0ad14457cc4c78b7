import type { Session } from '@dmarc-ledger/schema';
import { sql } from 'kysely';
import type { HeldRevision } from '../reports/settle-copies.ts';
import type { CopyKey } from '../intake/held-reports.ts';
import { HELD_CODE, IMPORT_HELD_CODE } from '../intake/unauthenticated-codes.ts';
import { announce, type Work } from '../due-work/announce-work.ts';
import { IS_REPEATING, MOST_REPEATS } from '../reports/repeats.ts';

const REPORTS_A_JOB = 100;

/**
 * Queues ended deliveries again, and with them the reports whose counted copy they brought: those are read again from
 * their raw bytes. Deliveries that are queued already stay.
 */
export async function requeueDeliveries(
  session: Session,
  orgId: string,
  { messageIds, reportIds }: { messageIds: readonly string[]; reportIds: readonly string[] },
): Promise<void> {
  await rereadCounted(session, orgId, { messageIds, reportIds });
  await session.db
    .updateTable('raw_message')
    .set({ state: 'received', attempts_started: 0, claimed_by: null })
    .where('org_id', '=', orgId)
    .where('id', '=', sql<string>`any(${messageIds}::uuid[])`)
    .where('state', 'not in', ['received', 'processing'])
    .where('bytes_purged_at', 'is', null)
    .execute();
}

/**
 * Has the reports read again whose counted copy these deliveries brought. Reading and judging in progress is discarded:
 * the reports get a new version.
 */
export async function rereadCounted(
  session: Session,
  orgId: string,
  brought: { messageIds: readonly string[]; reportIds: readonly string[] },
): Promise<void> {
  const marked = await markReports(session, orgId, brought);
  const work: Work[] = [];
  for (let at = 0; at < marked.length; at += REPORTS_A_JOB)
    work.push({ job: 'rereadReports', payload: { orgId, reportIds: marked.slice(at, at + REPORTS_A_JOB) } });
  await announce(session, orgId, work);
}

/**
 * Queues the deliveries again of copies that count no more, where they say that these count or add nothing: those that
 * brought a copy, and those that are one, such as an import with the content of a mail.
 */
export async function requeueCounted(
  session: Session,
  orgId: string,
  revisions: readonly Pick<HeldRevision, 'messageId' | 'payloadSha256'>[],
): Promise<void> {
  if (revisions.length === 0) return;
  const counted = await session.db
    .selectFrom('raw_message')
    .select('id')
    .where('org_id', '=', orgId)
    .where((eb) =>
      eb.or([
        eb('id', '=', sql<string>`any(${revisions.map(({ messageId }) => messageId)}::uuid[])`),
        eb('sha256', '=', sql<Buffer>`any(${revisions.map(({ payloadSha256 }) => payloadSha256)}::bytea[])`),
      ]),
    )
    .where('state', 'in', ['stored', 'duplicate'])
    .execute();
  if (counted.length > 0)
    await requeueDeliveries(session, orgId, { messageIds: counted.map(({ id }) => id), reportIds: [] });
}

/** Whether the delivery `m` has the content `k.hex` as held: it is in it twice, or is a refusal that is not listed. */
const SAYS_HELD = sql.raw(`exists (select from jsonb_to_recordset(m.parts) as part (sha256 text, code text)
  where part.sha256 = k.hex and part.code in ('${HELD_CODE}', '${IMPORT_HELD_CODE}') or part.code = 'more_refusals')`);

/**
 * Queues the deliveries again that repeat one of these copies, which are held by now and are still stored beside the
 * counted one: each says itself that it is held, and can be released. Those that say so already stay as they are. To be
 * called once the delivery that holds them has ended: until then its contents are known as stored.
 */
export async function requeueRepeats(session: Session, orgId: string, copies: readonly CopyKey[]): Promise<void> {
  if (copies.length === 0) return;
  const identities = copies.map(({ identity }) => identity);
  const payloads = copies.map(({ payloadSha256 }) => payloadSha256);
  const { rows } = await sql<{ id: string }>`
    with k as materialized (
      select distinct v.org_id, encode(v.payload_sha256, 'hex') as hex
      from unnest(${identities}::bytea[], ${payloads}::bytea[]) as c (identity, payload)
        join report r on r.org_id = ${orgId} and r.identity = c.identity
        join report_revision v on v.org_id = ${orgId} and v.report_id = r.id and v.payload_sha256 = c.payload
    )
    select distinct m.id from k cross join lateral (
      select m.id from raw_message m where ${IS_REPEATING} and not ${SAYS_HELD} limit ${MOST_REPEATS}
    ) m`.execute(session.db);
  if (rows.length > 0) await requeueDeliveries(session, orgId, { messageIds: rows.map(({ id }) => id), reportIds: [] });
}

/** Marks the reports to be read again, and returns their ids. Locks reports before deliveries, like storing does. */
async function markReports(
  { db }: Session,
  orgId: string,
  { messageIds, reportIds }: { messageIds: readonly string[]; reportIds: readonly string[] },
): Promise<string[]> {
  const { rows } = await sql<{ report_id: string }>`
    with brought as (
      select r.id from report r
        join report_revision v on v.org_id = r.org_id and v.report_id = r.id and v.payload_sha256 = r.payload_sha256
      where r.org_id = ${orgId} and r.id = any(${reportIds}::uuid[]) and v.message_id = any(${messageIds}::uuid[])
      order by r.id for update of r
    ), renewed as (
      update report r set version = r.version + 1 from brought b where r.org_id = ${orgId} and r.id = b.id
        returning r.id
    )
    insert into unjudged_report (org_id, report_id, step, is_judged)
    select ${orgId}, id, 'reread', true from renewed order by id
    on conflict (org_id, report_id) do update set step = 'reread', since = now()
    returning report_id`.execute(db);
  return rows.map((row) => row.report_id);
}
