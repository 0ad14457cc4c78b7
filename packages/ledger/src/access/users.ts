import type { Db } from '@dmarc-ledger/schema';
import { comparableAddress, newId, normalizeAddress, type Role } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';
import { announceAccessChange } from './announce.ts';
import { AccessError } from './errors.ts';
import { revokeKeysOf } from './keys.ts';
import { lockName } from './lock-name.ts';

const columns = ['org_id', 'id', 'email', 'role', 'created_at', 'removed_at'] as const;

/** A member who adds or removes another, with the role that allows it. */
export interface Changer {
  email: string;
  role: Role;
}

/**
 * Adds a person who may own keys. A person who was removed before is restored, with the given role and without the keys
 * of before. A member who adds (`by`) must have their role still: one who is being removed cannot add anyone.
 */
export async function addUser(db: Db, orgId: string, { email, role }: { email: string; role: Role }, by?: Changer) {
  const address = normalizeAddress(email);
  // not `transact`: after a commit whose answer was lost, the second run would report `user_exists`
  return await db.transaction().execute(async (trx) => {
    await lockAddress(trx, orgId, address);
    if (by) expectRight(await holdMembers(trx, orgId, [by.email]), by, role);
    if (await isKnownOtherwise(trx, orgId, address)) throw known(email);
    const added = await trx
      .insertInto('app_user')
      .values({ org_id: orgId, id: newId(), email: address, role })
      .onConflict((conflict) =>
        conflict
          .columns(['org_id', 'email'])
          .doUpdateSet({ role, removed_at: null })
          .where('app_user.removed_at', 'is not', null),
      )
      .returning(columns)
      .executeTakeFirst();
    if (!added) throw known(email);
    await revokeKeysOf(trx, orgId, added.id);
    await announceAccessChange(trx);
    return added;
  });
}

/** Until the transaction ends, the address is added nowhere else, however it is written. */
async function lockAddress(db: Db, orgId: string, email: string): Promise<void> {
  await lockName(db, `app_user|${orgId}|${comparableAddress(email)}`);
}

/** True where a member has the same address, written in another way: to sign in, both are the same person. */
async function isKnownOtherwise(db: Db, orgId: string, email: string): Promise<boolean> {
  const other = await db
    .selectFrom('app_user')
    .select('id')
    .where('org_id', '=', orgId)
    .where(sql`lower(email)`, '=', comparableAddress(email))
    .where('email', '<>', email)
    .where('removed_at', 'is', null)
    .executeTakeFirst();
  return other !== undefined;
}

function known(email: string): AccessError {
  return new AccessError('user_exists', `${email} already belongs to this organization.`);
}

export async function listUsers(db: Db, orgId: string) {
  return await db.selectFrom('app_user').select(columns).where('org_id', '=', orgId).orderBy('email').execute();
}

/**
 * Removes the person with this address, however it is written: their keys allow nothing from then on. A member who
 * removes (`by`) must have their role still: of two who remove each other at the same time, the first is heard. Members
 * leave one owner; the operator of the server, who can add another, may remove that one too.
 */
export async function removeUser(db: Db, orgId: string, email: string, by?: Changer): Promise<void> {
  // not `transact`: after a commit whose answer was lost, the second run would report `user_unknown`
  await db.transaction().execute(async (trx) => {
    const held = await holdMembers(trx, orgId, [email, ...(by ? [by.email] : [])]);
    const removed = held.find((member) => member.email === email) ?? held.find((member) => isSame(member, email));
    if (!removed) throw new AccessError('user_unknown', `${email} does not belong to this organization.`);
    if (by) expectRight(held, by, removed.role);
    if (by && removed.role === 'owner' && held.filter(({ role }) => role === 'owner').length === 1)
      throw new AccessError('last_owner', `${email} is the only owner. Add another owner first.`);
    await trx
      .updateTable('app_user')
      .set({ removed_at: new Date() })
      .where('org_id', '=', orgId)
      .where('id', '=', removed.id)
      .execute();
    await trx.deleteFrom('digest_subscription').where('org_id', '=', orgId).where('user_id', '=', removed.id).execute();
    await announceAccessChange(trx);
  });
}

/** The owners and these members, once every other change of them has ended. */
async function holdMembers(trx: Db, orgId: string, emails: readonly string[]) {
  const addresses = emails.flatMap((email) => [email.toLowerCase(), comparableAddress(email)]);
  return await trx
    .selectFrom('app_user')
    .select(['id', 'email', 'role'])
    .where('org_id', '=', orgId)
    .where('removed_at', 'is', null)
    .where((eb) => eb.or([eb('role', '=', 'owner'), eb(sql`lower(email)`, 'in', addresses)]))
    .orderBy('id')
    .forUpdate()
    .execute();
}

/** Throws `not_allowed` unless a member has their role still, and keeps it until the transaction ends. */
export async function expectMember(trx: Db, orgId: string, by: Changer): Promise<void> {
  expectRole(await holdMembers(trx, orgId, [by.email]), by);
}

function expectRole(held: readonly Changer[], by: Changer): void {
  const own = held.find((member) => isSame(member, by.email));
  if (own?.role !== by.role) throw new AccessError('not_allowed', 'Your own role has changed meanwhile.');
}

function expectRight(held: readonly Changer[], by: Changer, changed: Role): void {
  expectRole(held, by);
  if (changed === 'owner' && by.role !== 'owner')
    throw new AccessError('not_allowed', 'Only an owner can add or remove another owner.');
}

function isSame(member: { email: string }, email: string): boolean {
  return comparableAddress(member.email) === comparableAddress(email);
}
