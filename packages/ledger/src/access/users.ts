import type { Db } from '@dmarc-ledger/schema';
import { newId, type Role } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';
import { announceAccessChange } from './announce.ts';
import { AccessError } from './errors.ts';

const columns = ['org_id', 'id', 'email', 'role', 'created_at', 'removed_at'] as const;

/** Adds a person who may own keys. A person who was removed before is restored, with the given role. */
export async function addUser(db: Db, orgId: string, { email, role }: { email: string; role: Role }) {
  return await db.transaction().execute(async (trx) => {
    await lockAddress(trx, orgId, email);
    if (await isKnownOtherwise(trx, orgId, email)) throw known(email);
    const added = await trx
      .insertInto('app_user')
      .values({ org_id: orgId, id: newId(), email, role })
      .onConflict((conflict) =>
        conflict
          .columns(['org_id', 'email'])
          .doUpdateSet({ role, removed_at: null })
          .where('app_user.removed_at', 'is not', null),
      )
      .returning(columns)
      .executeTakeFirst();
    if (!added) throw known(email);
    await announceAccessChange(trx);
    return added;
  });
}

/** Until the transaction ends, the address is added nowhere else, in upper or lower case. */
async function lockAddress(db: Db, orgId: string, email: string): Promise<void> {
  const key = `app_user|${orgId}|${email.toLowerCase()}`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(db);
}

/** True for a member whose address differs in upper and lower case alone: to sign in, both are the same person. */
async function isKnownOtherwise(db: Db, orgId: string, email: string): Promise<boolean> {
  const other = await db
    .selectFrom('app_user')
    .select('id')
    .where('org_id', '=', orgId)
    .where(sql`lower(email)`, '=', email.toLowerCase())
    .where('email', '<>', email)
    .where('removed_at', 'is', null)
    .executeTakeFirst();
  return other !== undefined;
}

function known(email: string): AccessError {
  return new AccessError('user_exists', `${email} belongs to this organization already.`);
}

export async function listUsers(db: Db, orgId: string) {
  return await db.selectFrom('app_user').select(columns).where('org_id', '=', orgId).orderBy('email').execute();
}

/** Removes a person. Their keys allow nothing from then on. */
export async function removeUser(db: Db, orgId: string, email: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const removed = await trx
      .updateTable('app_user')
      .set({ removed_at: new Date() })
      .where('org_id', '=', orgId)
      .where('email', '=', email)
      .where('removed_at', 'is', null)
      .returning('id')
      .executeTakeFirst();
    if (!removed) throw new AccessError('user_unknown', `${email} does not belong to this organization.`);
    await trx.deleteFrom('digest_subscription').where('org_id', '=', orgId).where('user_id', '=', removed.id).execute();
    await announceAccessChange(trx);
  });
}
