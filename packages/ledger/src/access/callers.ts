import { timingSafeEqual } from 'node:crypto';
import type { Db } from '@dmarc-ledger/schema';
import {
  hashSecret,
  type KeyScope,
  parseApiKey,
  type Permission,
  permissionsOf,
  type Role,
} from '@dmarc-ledger/vocabulary';

/** The organization that a valid key belongs to, and what the key allows. */
export interface Caller {
  orgId: string;
  keyId: string;
  scope: KeyScope;
  permissions: ReadonlySet<Permission>;
  plan: string;
  /** Requests an hour; null: no quota. */
  hourlyQuota: number | null;
}

/** The stored facts that decide whether a key is valid. */
export interface KeyHolder {
  caller: Caller;
  secretSha256: Buffer;
  revoked: boolean;
  /** True if the plan includes the API and the organization is not suspended. */
  entitled: boolean;
  expiresAt: Date | null;
}

/** Why a well-formed key is rejected. Clients never see the reason. */
export type KeyFault = 'unknown' | 'revoked' | 'expired' | 'not_entitled';

/** Compared with the secret when the key is unknown, so that every rejection takes the same work. */
const NO_HASH = Buffer.alloc(32);

/**
 * Returns the caller that a key belongs to; undefined if the key is malformed, unknown, revoked, expired or not
 * entitled.
 */
export async function identifyCaller(db: Db, key: string): Promise<Caller | undefined> {
  const parts = parseApiKey(key);
  const judged = parts && judgeKey(await findKeyHolder(db, parts.prefix), parts.secret, new Date());
  return typeof judged === 'object' ? judged : undefined;
}

/**
 * The organization of a key, also while a suspension holds the key back or after it has ended; undefined if no key is
 * stored with this prefix and secret.
 */
export async function identifyKey(db: Db, key: string): Promise<{ orgId: string; hasEnded: boolean } | undefined> {
  const parts = parseApiKey(key);
  const holder = parts && (await findKeyHolder(db, parts.prefix));
  const judged = parts && judgeKey(holder, parts.secret, new Date());
  if (!holder || judged === 'unknown') return undefined;
  return { orgId: holder.caller.orgId, hasEnded: judged === 'revoked' || judged === 'expired' };
}

/** Returns undefined if the secret matches and the key is valid now, else the reason why it is not. */
export function judgeKey(holder: KeyHolder | undefined, secret: string, now: Date): Caller | KeyFault {
  const known = timingSafeEqual(hashSecret(secret), holder?.secretSha256 ?? NO_HASH);
  if (!holder || !known) return 'unknown';
  if (holder.revoked) return 'revoked';
  if (!holder.entitled) return 'not_entitled';
  return holder.expiresAt && holder.expiresAt <= now ? 'expired' : holder.caller;
}

/** The one lookup that runs before the organization is known. */
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
    revoked: row.revoked_at !== null,
    entitled: row.api && row.suspended_at === null,
    expiresAt: row.expires_at,
  };
}

function roleOf(row: { owner_id: string | null; role: Role | null; removed_at: Date | null }): Role | null | undefined {
  if (row.owner_id === null) return undefined;
  return row.removed_at === null ? row.role : null;
}
