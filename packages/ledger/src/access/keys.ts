import type { Db } from '@dmarc-ledger/schema';
import { comparableAddress, generateApiKey, hashSecret, type KeyScope, newId } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';
import { announceAccessChange } from './announce.ts';
import { AccessError } from './errors.ts';

export interface NewKey {
  /** Chosen beforehand by a form, which may be sent twice. */
  id?: string | undefined;
  scope: KeyScope;
  /** The owner, whose role narrows the scope; without an owner the scope alone decides. */
  ownerEmail?: string;
  name?: string;
  expiresAt?: Date;
}

/** The key itself is only available here: it is not stored. */
export interface CreatedKey {
  id: string;
  key: string;
  prefix: string;
  scope: KeyScope;
  name: string;
  expiresAt: Date | null;
}

/**
 * Creates a key.
 *
 * @throws {AccessError} `key_exists` where the id is that of a key, `user_unknown`
 */
export async function createKey(
  db: Db,
  orgId: string,
  { id = newId(), scope, ownerEmail, name = '', expiresAt }: NewKey,
): Promise<CreatedKey> {
  const { text, prefix, secret } = generateApiKey();
  const row = {
    org_id: orgId,
    id,
    prefix,
    secret_sha256: hashSecret(secret),
    last_four: text.slice(-4),
    scope,
    owner_id: ownerEmail === undefined ? null : await ownerId(db, orgId, ownerEmail),
    name,
    expires_at: expiresAt ?? null,
  };
  const made = await db
    .insertInto('api_key')
    .values(row)
    .onConflict((conflict) => conflict.columns(['org_id', 'id']).doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!made) throw new AccessError('key_exists', 'This key was made and shown before. Make another if it is lost.');
  return { id: row.id, key: text, prefix, scope, name, expiresAt: row.expires_at };
}

/** Returns the keys, newest first, without their secrets, which are not stored. */
export async function listKeys(db: Db, orgId: string) {
  return await db
    .selectFrom('api_key')
    .leftJoin('app_user', (join) =>
      join.onRef('app_user.org_id', '=', 'api_key.org_id').onRef('app_user.id', '=', 'api_key.owner_id'),
    )
    .select([
      'api_key.id',
      'api_key.prefix',
      'api_key.last_four',
      'api_key.scope',
      'api_key.name',
      'app_user.email as owner',
      'api_key.created_at',
      'api_key.expires_at',
      'api_key.revoked_at',
      'api_key.last_used_at',
    ])
    .where('api_key.org_id', '=', orgId)
    .orderBy('api_key.id', 'desc')
    .execute();
}

/** Revokes a key of the organization. Revoking it again keeps the first instant. */
export async function revokeKey(db: Db, orgId: string, id: string): Promise<void> {
  // not `transact`: that takes a pool, and the pages call this on a connection with their role
  await db.transaction().execute(async (trx) => {
    const revoked = await trx
      .updateTable('api_key')
      .set((eb) => ({ revoked_at: eb.fn.coalesce('revoked_at', eb.val(new Date())) }))
      .where('org_id', '=', orgId)
      .where('id', '=', id)
      .returning('id')
      .executeTakeFirst();
    if (!revoked) throw new AccessError('key_unknown', 'There is no such key.');
    await announceAccessChange(trx);
  });
}

/** Revokes all keys of a person. */
export async function revokeKeysOf(trx: Db, orgId: string, ownerId: string): Promise<void> {
  await trx
    .updateTable('api_key')
    .set({ revoked_at: new Date() })
    .where('org_id', '=', orgId)
    .where('owner_id', '=', ownerId)
    .where('revoked_at', 'is', null)
    .execute();
}

async function ownerId(db: Db, orgId: string, email: string): Promise<string> {
  const owner = await db
    .selectFrom('app_user')
    .select('id')
    .where('org_id', '=', orgId)
    .where(sql`lower(email)`, '=', comparableAddress(email))
    .where('removed_at', 'is', null)
    .executeTakeFirst();
  if (!owner) throw new AccessError('user_unknown', `${email} does not belong to this organization.`);
  return owner.id;
}
