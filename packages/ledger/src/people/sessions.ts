import type { Db, SignedInBy } from '@dmarc-ledger/schema';
import { comparableAddress, newId } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';
import type { Person } from './people.ts';
import { hashToken, newToken } from './token.ts';

/** A session ends after two weeks without use, and after 90 days in any case. */
const IDLE_DAYS = 14;
const LONGEST_DAYS = 90;
/** A browser that is found open later proves nothing. */
const PROOF_LASTS = '1 hour';
const TEXT_LENGTH = 200;

export interface NewSession {
  /** The person as they were when they proved who they are. */
  person: Pick<Person, 'id' | 'passwordHash'>;
  by: SignedInBy;
  userAgent: string;
  address: string;
}

/** A session in use, with its person. */
export interface ActiveSession {
  id: string;
  personId: string;
  email: string;
  /** The organization looked at last; null before the first page. */
  orgId: string | null;
  /** They opened a link of their address within the last hour, so they may set a password without the old one. */
  isAddressProven: boolean;
  /** Runs the installation. */
  isOperator: boolean;
}

/**
 * Begins a session, and deletes those that have expired. Returns its token, which is only stored as a hash; undefined
 * when a password was set since the proof, as that ends every session but the one it was set in.
 */
export async function beginSession(db: Db, { person, by, userAgent, address }: NewSession) {
  const { token, hash } = newToken();
  const { rows } = await sql`
    with expired as (
      delete from session where token_sha256 in (select token_sha256 from session where expires_at < now() limit 100)
    )
    insert into session (token_sha256, id, person_id, signed_in_by, user_agent, address, expires_at)
    select ${hash}, ${newId()}, id, ${by}, ${userAgent.slice(0, TEXT_LENGTH)}, ${address.slice(0, TEXT_LENGTH)},
      now() + make_interval(days => ${IDLE_DAYS})
    from person where id = ${person.id} and password_hash is not distinct from ${person.passwordHash} for share
    returning id`.execute(db);
  return rows.length > 0 ? token : undefined;
}

/** Finds the session of a token. Its use is recorded at most once a minute, and moves its end. */
export async function findSession(db: Db, token: string): Promise<ActiveSession | undefined> {
  const hash = hashToken(token);
  const found = await db
    .selectFrom('session as s')
    .innerJoin('person as p', 'p.id', 's.person_id')
    .select(['s.id', 's.person_id', 'p.email', 's.chosen_org'])
    .select(
      sql<boolean>`s.signed_in_by = 'link' and s.created_at > now() - ${PROOF_LASTS}::interval`.as('is_address_proven'),
    )
    .select(sql<boolean>`exists (select from operator o where o.person_id = p.id)`.as('is_operator'))
    .select(sql<boolean>`s.last_seen_at < now() - interval '1 minute'`.as('is_due'))
    .where('s.token_sha256', '=', hash)
    .where('s.expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst();
  if (!found) return undefined;
  if (found.is_due) {
    await sql`
      update session set last_seen_at = now(), expires_at = least(now() + make_interval(days => ${IDLE_DAYS}),
        created_at + make_interval(days => ${LONGEST_DAYS}))
      where token_sha256 = ${hash}`.execute(db);
  }
  return {
    id: found.id,
    personId: found.person_id,
    email: comparableAddress(found.email),
    orgId: found.chosen_org,
    isAddressProven: found.is_address_proven,
    isOperator: found.is_operator,
  };
}

/**
 * Remembers where a session begins, so that another organization that takes the person in does not move it there. What
 * they chose meanwhile stays.
 */
export async function keepOrganization(db: Db, { id, orgId: known }: ActiveSession, orgId: string): Promise<void> {
  await db
    .updateTable('session')
    .set({ chosen_org: orgId })
    .where('id', '=', id)
    .where('chosen_org', known === null ? 'is' : '=', known)
    .execute();
}

/** Remembers which organization a session looks at. */
export async function chooseOrganization(db: Db, sessionId: string, orgId: string): Promise<void> {
  await db.updateTable('session').set({ chosen_org: orgId }).where('id', '=', sessionId).execute();
}

/** Ends one session of a person. False if the person has no such session. */
export async function endSession(db: Db, personId: string, sessionId: string): Promise<boolean> {
  const ended = await db
    .deleteFrom('session')
    .where('id', '=', sessionId)
    .where('person_id', '=', personId)
    .returning('id')
    .executeTakeFirst();
  return ended !== undefined;
}

/** The sessions of a person, the one used last first. */
export async function listSessions(db: Db, personId: string) {
  return await db
    .selectFrom('session')
    .select(['id', 'signed_in_by', 'user_agent', 'address', 'created_at', 'last_seen_at'])
    .where('person_id', '=', personId)
    .where('expires_at', '>', sql<Date>`now()`)
    .orderBy('last_seen_at', 'desc')
    .orderBy('id')
    .execute();
}
