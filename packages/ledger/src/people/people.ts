import type { Db } from '@dmarc-ledger/schema';
import { comparableAddress, newId, type Role } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';

/** A person who signs in to the pages. */
export interface Person {
  id: string;
  /** In the one form for comparing. */
  email: string;
  passwordHash: string | null;
}

/** One organization that a person belongs to. */
export interface Membership {
  orgId: string;
  orgName: string;
  role: Role;
}

/** Finds the person of an address, however it is written. */
export async function findPerson(db: Db, email: string): Promise<Person | undefined> {
  return await db
    .selectFrom('person')
    .select(['id', 'email', 'password_hash as passwordHash'])
    .where('email', '=', comparableAddress(email))
    .executeTakeFirst();
}

/** Returns the person of an address, and creates them if need be. Concurrent calls return the same person. */
export async function ensurePerson(db: Db, email: string): Promise<Person> {
  await db
    .insertInto('person')
    .values({ id: newId(), email: comparableAddress(email), password_hash: null, password_set_at: null })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .execute();
  const person = await findPerson(db, email);
  if (!person) throw new Error('a person was removed while they were created');
  return person;
}

/**
 * Sets the password in a session, and ends every link and other session of the person: what the old password opened
 * ends with it. False, and nothing changes, when the session has ended meanwhile, as it does when the person sets
 * another password elsewhere.
 */
export async function setPassword(db: Db, personId: string, hash: string, inSession: string): Promise<boolean> {
  // not `transact`: that takes a pool, and the pages call this on a connection with their role
  return await db.transaction().execute(async (trx) => {
    await trx.selectFrom('person').select('id').where('id', '=', personId).forNoKeyUpdate().execute(); // one at a time
    const sessions = await trx.selectFrom('session').select('id').where('person_id', '=', personId).execute();
    if (!sessions.some(({ id }) => id === inSession)) return false;
    await trx
      .updateTable('person')
      .set({ password_hash: hash, password_set_at: sql<Date>`now()` })
      .where('id', '=', personId)
      .execute();
    await trx.deleteFrom('session').where('person_id', '=', personId).where('id', '<>', inSession).execute();
    await trx.deleteFrom('sign_in_link').where('person_id', '=', personId).execute();
    return true;
  });
}

/** The organizations of a person, by name; those that are suspended or removed are left out. */
export async function findMemberships(db: Db, email: string): Promise<Membership[]> {
  const { rows } = await sql<{ org_id: string; org_name: string; role: Role }>`
    select org_id, org_name, role from memberships_of(${comparableAddress(email)})`.execute(db);
  return rows.map(({ org_id, org_name, role }) => ({ orgId: org_id, orgName: org_name, role }));
}
