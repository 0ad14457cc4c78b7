import type { Db } from '@dmarc-ledger/schema';
import { normalizeAddress } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';
import { ensurePerson, findMemberships, type Person } from './people.ts';

/** What an identity provider says about an account. */
export interface Identity {
  issuer: string;
  /** Names the account at its issuer, for ever. */
  subject: string;
  email: string | undefined;
  /** True if the provider states that the address was proved. */
  isVerified: boolean;
}

/** Why signing in with an account is refused. The browser shows one sentence for all reasons. */
export type IdentityRefusal = 'email_unverified' | 'person_unknown' | 'other_account_linked';

/** Addresses that compare the same in upper and lower case in every alphabet, in the one form. */
const PLAIN_ADDRESS = /^[\x21-\x7e]+@[\x21-\x7e]+$/;
/** Letters that older programs turn into others: the provider may have proved an address at another domain. */
const AMBIGUOUS = /[\u00df\u1e9e\u03c2]/;

/**
 * Returns the person whom an account signs in. An account that is linked is recognised by its subject alone. Another
 * one is linked once, by a proved address, to a member who has no account of this issuer yet; no person is created.
 */
export async function admitIdentity(db: Db, identity: Identity): Promise<Person | IdentityRefusal> {
  const linked = await useIdentity(db, identity);
  if (linked) return linked;
  const { isVerified, issuer, subject } = identity;
  const email = identity.email === undefined ? undefined : plainAddress(identity.email);
  if (!isVerified || email === undefined) return 'email_unverified';
  if ((await findMemberships(db, email)).length === 0) return 'person_unknown';
  const { id } = await ensurePerson(db, email);
  await db
    .insertInto('person_identity')
    .values({ issuer, subject, person_id: id })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return (await useIdentity(db, identity)) ?? 'other_account_linked';
}

/** The address of an account in the one form; undefined where it could be taken for another. */
function plainAddress(email: string): string | undefined {
  const plain = normalizeAddress(email);
  return PLAIN_ADDRESS.test(plain) && !AMBIGUOUS.test(email) ? plain : undefined;
}

async function useIdentity(db: Db, { issuer, subject }: Identity): Promise<Person | undefined> {
  return await db
    .updateTable('person_identity as i')
    .from('person as p')
    .set({ last_used_at: sql<Date>`now()` })
    .whereRef('p.id', '=', 'i.person_id')
    .where('i.issuer', '=', issuer)
    .where('i.subject', '=', subject)
    .returning(['p.id', 'p.email', 'p.password_hash as passwordHash'])
    .executeTakeFirst();
}

/** The account of an issuer that a person is linked with. */
export async function findIdentity(db: Db, personId: string, issuer: string) {
  const [found] = await identitiesOf(db, personId, issuer);
  return found;
}

/** Unlinks the account of an issuer; the next account with a proved address of this person is linked in its place. */
export async function removeIdentity(db: Db, personId: string, issuer: string): Promise<void> {
  for (const found of await identitiesOf(db, personId, issuer)) {
    await db
      .deleteFrom('person_identity')
      .where('person_id', '=', personId)
      .where('issuer', '=', found.issuer)
      .execute();
  }
}

/**
 * An issuer is stored as its tokens spell it, and a setting may spell it in another way that leads to the same
 * documents, such as without the last slash.
 */
async function identitiesOf(db: Db, personId: string, issuer: string) {
  const all = await db
    .selectFrom('person_identity')
    .select(['issuer', 'subject', 'created_at', 'last_used_at'])
    .where('person_id', '=', personId)
    .orderBy('last_used_at', 'desc')
    .execute();
  const wanted = URL.parse(issuer)?.href;
  return all.filter((one) => one.issuer === issuer || (wanted !== undefined && URL.parse(one.issuer)?.href === wanted));
}
