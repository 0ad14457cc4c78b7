import { type Frequency, issueTime, nextIssue } from '@dmarc-ledger/digest';
import type { Db, DigestSubscriptionTable } from '@dmarc-ledger/schema';
import { comparableAddress } from '@dmarc-ledger/vocabulary';
import { type Selectable, sql } from 'kysely';

/** What a member wants. */
export interface WantedDigest {
  frequency: Frequency;
  /** Empty: all of the organization. */
  domains: readonly string[];
}

/** A subscription, with the address it goes to. */
export type Subscription = Selectable<DigestSubscriptionTable> & { email: string };

/**
 * Subscribes a member by address, or changes what the member gets; the link that ends it stays. The next issue is the
 * next that is due. Returns false when the organization has no such member.
 */
export async function subscribe(
  db: Db,
  orgId: string,
  email: string,
  { frequency, domains, now }: WantedDigest & { now: Date },
): Promise<boolean> {
  const day = nextIssue(frequency, now);
  const { rows } = await sql`
    insert into digest_subscription as s (org_id, user_id, frequency, domains, due_day, due_at)
    select org_id, id, ${frequency}, ${domains}, ${day}::date, ${issueTime(day)}::timestamptz from app_user
    where org_id = ${orgId} and lower(email) = ${comparableAddress(email)} and removed_at is null
    on conflict (org_id, user_id) do update set domains = excluded.domains, frequency = excluded.frequency,
      due_day = excluded.due_day, due_at = excluded.due_at, hand = null, tries = 0, error_code = null
    returning s.user_id`.execute(db);
  return rows.length > 0;
}

/** Ends the digest of a member. Returns false when there was none. */
export async function unsubscribe(db: Db, orgId: string, email: string): Promise<boolean> {
  const { rows } = await sql`
    delete from digest_subscription s using app_user u
    where s.org_id = ${orgId} and u.org_id = s.org_id and u.id = s.user_id
      and lower(u.email) = ${comparableAddress(email)}
    returning s.user_id`.execute(db);
  return rows.length > 0;
}

/** Ends the digest that a link names. Returns false when there is none, or its link is another. */
export async function unsubscribeByLink(
  db: Db,
  { orgId, userId, token }: { orgId: string; userId: string; token: string },
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('digest_subscription')
    .where('org_id', '=', orgId)
    .where('user_id', '=', userId)
    .where('token', '=', token)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** The subscriptions of an organization, by address; those of removed members are left out. */
export async function listSubscriptions(db: Db, orgId: string): Promise<Subscription[]> {
  return await db
    .selectFrom('digest_subscription as s')
    .innerJoin('app_user as u', (join) => join.onRef('u.org_id', '=', 's.org_id').onRef('u.id', '=', 's.user_id'))
    .selectAll('s')
    .select('u.email')
    .where('s.org_id', '=', orgId)
    .where('u.removed_at', 'is', null)
    .orderBy('u.email')
    .execute();
}
