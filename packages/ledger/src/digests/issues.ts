import { type Frequency, issueTime, latestIssue, nextIssue } from '@dmarc-ledger/digest';
import { type Database, type Db, transact } from '@dmarc-ledger/schema';
import type { Day, Role } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';
import { announce } from '../due-work/announce-work.ts';
import { isOnlyPlanner } from '../due-work/only-planner.ts';

const AT_ONCE = 200;
/** An issue that was announced and not begun within this time is announced again. */
const LOST_AFTER_SECONDS = 300;

/** Queues the issues that are due. Returns how many. Any number of planners may run. */
export async function planDigests(database: Database): Promise<number> {
  return await transact(database, async (session) => {
    if (!(await isOnlyPlanner(session, 'plan_digests'))) return 0;
    const { rows } = await sql<{ org_id: string; user_id: string }>`
      update digest_subscription s
      set hand = 'announced', due_at = ledger_now() + make_interval(secs => ${LOST_AFTER_SECONDS})
      from (
        select d.org_id, d.user_id from digest_subscription d
          join app_user u on u.org_id = d.org_id and u.id = d.user_id and u.removed_at is null
          join organization o on o.id = d.org_id and o.suspended_at is null and o.removed_at is null
        where d.due_at <= ledger_now() order by d.due_at limit ${AT_ONCE} for update of d skip locked) p
      where s.org_id = p.org_id and s.user_id = p.user_id returning s.org_id, s.user_id`.execute(session.db);
    for (const [orgId, some] of Map.groupBy(rows, ({ org_id }) => org_id))
      await announce(
        session,
        orgId,
        some.map(({ user_id: userId }) => ({ job: 'sendDigest', payload: { orgId, userId } })),
      );
    return rows.length;
  });
}

export interface IssueKey {
  orgId: string;
  userId: string;
}

/** An issue to send, and the number of the try. */
export interface BegunIssue extends IssueKey {
  tries: number;
  /** The day of the issue: the same at every try. */
  day: Day;
  frequency: Frequency;
  domains: string[];
  token: string;
  email: string;
  role: Role;
  organization: string;
}

/**
 * Begins a try at an announced issue. After a long outage it is the newest issue that is due: no one reads five at
 * once, also where an older one was tried. It is never an older one than was announced, though the clock of this
 * process is behind that of the database. Returns undefined when another process has begun it, or there is no one to
 * send it to any more.
 */
export async function beginIssue(
  db: Db,
  { orgId, userId }: IssueKey,
  { leaseSeconds, now }: { leaseSeconds: number; now: Date },
): Promise<BegunIssue | undefined> {
  const { rows } = await sql<Omit<BegunIssue, keyof IssueKey>>`
    update digest_subscription s
    set hand = 'begun', tries = case when latest.day > s.due_day then 1 else s.tries + 1 end,
      due_at = ledger_now() + make_interval(secs => ${leaseSeconds}), due_day = greatest(s.due_day, latest.day)
    from (values ('daily', ${latestIssue('daily', now)}::date), ('weekly', ${latestIssue('weekly', now)}::date))
        as latest (frequency, day),
      app_user u join organization o on o.id = u.org_id
    where s.org_id = ${orgId} and s.user_id = ${userId} and s.hand = 'announced' and latest.frequency = s.frequency
      and u.org_id = s.org_id and u.id = s.user_id and u.removed_at is null and o.suspended_at is null and o.removed_at is null
    returning s.tries, s.due_day::text as day, s.frequency, s.domains, s.token, u.email, u.role,
      o.name as organization`.execute(db);
  const [row] = rows;
  return row && { orgId, userId, ...row };
}

/** Lets a try go on for so long from now. Returns false if it was taken for lost meanwhile. */
export async function extendIssue(db: Db, begun: BegunIssue, leaseSeconds: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('digest_subscription')
    .set({ due_at: sql<Date>`ledger_now() + make_interval(secs => ${leaseSeconds})` })
    .where('org_id', '=', begun.orgId)
    .where('user_id', '=', begun.userId)
    .where('due_day', '=', begun.day)
    .where('tries', '=', begun.tries)
    .where('hand', '=', 'begun')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** What became of a try: sent, failed with a wait before the next, or given up until the next issue. */
export type IssueEnd =
  | { state: 'sent' }
  | { state: 'failed'; code: string; retryAfterSeconds: number }
  | { state: 'given_up'; code: string };

/** Stores the outcome of a try, and when the next issue is due. Does nothing if the try counts as lost by now. */
export async function endIssue(db: Db, begun: BegunIssue, end: IssueEnd, now: Date): Promise<void> {
  const due = issueTime(begun.day);
  const next = nextIssue(begun.frequency, due > now ? due : now);
  const isOver = end.state !== 'failed';
  await db
    .updateTable('digest_subscription')
    .set({
      hand: null,
      error_code: end.state === 'sent' ? null : end.code,
      ...(end.state === 'sent' && { sent_day: begun.day }),
      ...(isOver
        ? { due_day: next, due_at: issueTime(next), tries: 0 }
        : { due_at: sql<Date>`ledger_now() + make_interval(secs => ${end.retryAfterSeconds})` }),
    })
    .where('org_id', '=', begun.orgId)
    .where('user_id', '=', begun.userId)
    .where('due_day', '=', begun.day)
    .where('tries', '=', begun.tries)
    .where('hand', '=', 'begun')
    .execute();
}
