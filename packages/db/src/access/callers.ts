import { timingSafeEqual } from 'node:crypto';
import {
  hashSecret,
  parseApiKey,
  permissionsOf,
  type KeyScope,
  type Permission,
  type Role,
} from '@dmarc-ledger/vocabulary';
import type { Db } from '../database.ts';

/** Who a valid key speaks for, and what it allows. */
export interface Caller {
  orgId: string;
  keyId: string;
  scope: KeyScope;
  permissions: ReadonlySet<Permission>;
  plan: string;
  /** Requests an hour; null: no quota. */
  hourlyQuota: number | null;
}

/** All that is stored about a key and that decides whether it opens the door. */
export interface KeyHolder {
  caller: Caller;
  secretSha256: Buffer;
  /** Not revoked, the plan includes the API, the organization is not suspended. */
  entitled: boolean;
  expiresAt: Date | null;
}

/** Compared with when nothing is known of a key, so that all refusals do the same work. */
const NOBODY = Buffer.alloc(32);

/** The caller whom a key belongs to, or undefined for one that is malformed, unknown, revoked, expired or not entitled. */
export async function identifyCaller(db: Db, key: string, now = new Date()): Promise<Caller | undefined> {
  const parts = parseApiKey(key);
  return parts && admit(await findKeyHolder(db, parts.prefix), parts.secret, now);
}

/** Whether the secret is the holder's, and the holder may come in now. */
export function admit(holder: KeyHolder | undefined, secret: string, now: Date): Caller | undefined {
  const known = timingSafeEqual(hashSecret(secret), holder?.secretSha256 ?? NOBODY);
  if (!holder || !known || !holder.entitled) return undefined;
  return holder.expiresAt && holder.expiresAt <= now ? undefined : holder.caller;
}

/** The one look-up before the organization is known. */
export async function findKeyHolder(db: Db, prefix: string): Promise<KeyHolder | undefined> {
  const row = await db
    .selectFrom('api_key as key')
    .innerJoin('organization', 'organization.id', 'key.org_id')
    .innerJoin('plan', 'plan.code', 'organization.plan')
    .leftJoin('app_user as owner', (join) =>
      join.onRef('owner.org_id', '=', 'key.org_id').onRef('owner.id', '=', 'key.owner_id'),
    )
    .select([
      'key.org_id',
      'key.id',
      'key.secret_sha256',
      'key.scope',
      'key.expires_at',
      'key.revoked_at',
      'key.owner_id',
      'organization.suspended_at',
      'plan.code',
      'plan.api',
      'plan.hourly_quota',
      'owner.role',
      'owner.removed_at',
    ])
    .where('key.prefix', '=', prefix)
    .executeTakeFirst();
  if (!row) return undefined;
  return {
    caller: {
      orgId: row.org_id,
      keyId: row.id,
      scope: row.scope,
      permissions: permissionsOf(row.scope, roleOf(row)),
      plan: row.code,
      hourlyQuota: row.hourly_quota,
    },
    secretSha256: row.secret_sha256,
    entitled: row.api && row.revoked_at === null && row.suspended_at === null,
    expiresAt: row.expires_at,
  };
}

function roleOf(row: { owner_id: string | null; role: Role | null; removed_at: Date | null }): Role | null | undefined {
  if (row.owner_id === null) return undefined;
  return row.removed_at === null ? row.role : null;
}
