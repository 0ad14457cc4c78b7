import type { Db } from '@dmarc-ledger/schema';
import { newId, type Role } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';

/** A person who signs in to the pages. */
export interface Person {
  id: string;
  /** In lower case. */
  email: string;
  passwordHash: string | null;
}

/** One organization that a person belongs to. */
export interface Membership {
  orgId: string;
  orgName: string;
  role: Role;
}

/** Finds the person of an address, in any case. */
export async function findPerson(db: Db, email: string): Promise<Person | undefined> {
  return await db
    .selectFrom('person')
    .select(['id', 'email', 'password_hash as passwordHash'])
    .where('email', '=', email.toLowerCase())
    .executeTakeFirst();
}

/** Returns the person of an address, and creates them if need be. Concurrent calls return the same person. */
export async function ensurePerson(db: Db, email: string): Promise<Person> {
  await db
    .insertInto('person')
    .values({ id: newId(), email: email.toLowerCase(), password_hash: null, password_set_at: null })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .execute();
  const person = await findPerson(db, email);
  if (!person) throw new Error('a person was removed while they were created');
  return person;
}

/** Sets the password, and ends every link and session but the one given: sessions of the old password end with it. */
export async function setPassword(
  db: Db,
  personId: string,
  hash: string,
  { exceptSession }: { exceptSession?: string } = {},
): Promise<void> {
  // not `transact`: that takes a pool, and the pages call this on a connection with their role
  await db.transaction().execute(async (trx) => {
    await trx
      .updateTable('person')
      .set({ password_hash: hash, password_set_at: sql<Date>`now()` })
      .where('id', '=', personId)
      .execute();
    let sessions = trx.deleteFrom('session').where('person_id', '=', personId);
    if (exceptSession !== undefined) sessions = sessions.where('id', '<>', exceptSession);
    await sessions.execute();
    await trx.deleteFrom('sign_in_link').where('person_id', '=', personId).execute();
  });
}

/** The organizations of a person, by name; those that are suspended or removed are left out. */
export async function findMemberships(db: Db, email: string): Promise<Membership[]> {
  const { rows } = await sql<{ org_id: string; org_name: string; role: Role }>`
    select org_id, org_name, role from memberships_of(${email})`.execute(db);
  return rows.map(({ org_id, org_name, role }) => ({ orgId: org_id, orgName: org_name, role }));
}
