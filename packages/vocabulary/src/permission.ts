/** The permissions that operations require. */
export const permissions = [
  'report:read',
  'analytics:read',
  'domain:read',
  'alert:read',
  'integration:read',
  'report:ingest',
] as const;
export type Permission = (typeof permissions)[number];

export const keyScopes = ['read', 'full', 'ingest'] as const;
export type KeyScope = (typeof keyScopes)[number];

export const roles = ['owner', 'admin', 'analyst', 'viewer', 'integration'] as const;
export type Role = (typeof roles)[number];

const reading: Permission[] = ['report:read', 'analytics:read', 'domain:read', 'alert:read', 'integration:read'];

const ofScope: { [scope in KeyScope]: readonly Permission[] } = {
  read: reading,
  full: permissions,
  ingest: ['report:ingest'],
};

const ofRole: { [role in Role]: readonly Permission[] } = {
  owner: permissions,
  admin: permissions,
  analyst: ['report:read', 'analytics:read', 'domain:read', 'alert:read'],
  viewer: ['analytics:read', 'domain:read'],
  integration: ['integration:read', 'report:read', 'report:ingest'],
};

/**
 * Returns what a key allows: its scope, narrowed by the role of its owner. A key without an owner (`undefined`) is not
 * narrowed; one whose owner was removed (`null`) allows nothing.
 */
export function permissionsOf(scope: KeyScope, role: Role | null | undefined): ReadonlySet<Permission> {
  if (role === null) return new Set();
  if (role === undefined) return new Set(ofScope[scope]);
  return new Set(ofScope[scope].filter((permission) => ofRole[role].includes(permission)));
}
