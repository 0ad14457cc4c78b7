import type { Membership } from '@dmarc-ledger/ledger/for-web';
import type { Permission, Role } from '@dmarc-ledger/vocabulary';

/** The person who looks at a page, and the organization they look at. */
export interface Viewer {
  sessionId: string;
  personId: string;
  email: string;
  orgId: string;
  orgName: string;
  role: Role;
  /** Runs the installation, whatever their role in an organization. */
  isOperator: boolean;
  /** What their role allows to read. */
  permissions: ReadonlySet<Permission>;
  /** Every organization they belong to, by name. */
  memberships: readonly Membership[];
}

/** What people change on pages, and the roles that may. A role that is not named here may not. */
const ALLOWED = {
  acknowledge: ['owner', 'admin', 'analyst'],
  upload: ['owner', 'admin', 'integration'],
  'decide senders': ['owner', 'admin', 'analyst'],
  'add domains': ['owner', 'admin', 'analyst'],
  'end monitoring': ['owner', 'admin'],
  'manage keys': ['owner', 'admin'],
  'manage people': ['owner', 'admin'],
  replay: ['owner', 'admin'],
  'manage mailboxes': ['owner', 'admin'],
  'manage notifications': ['owner', 'admin'],
  'get digests': ['owner', 'admin', 'analyst', 'viewer'],
  'read raw reports': ['owner', 'admin', 'analyst'],
  'read mail': ['owner', 'admin'],
  'see intake': ['owner', 'admin', 'analyst', 'integration'],
} as const satisfies { [action: string]: readonly Role[] };

/** What a role allows, and what only operators of the installation may, whatever their role. */
export type Right = keyof typeof ALLOWED | 'operate';

export function mayDo(role: Role, right: Right): boolean {
  return right !== 'operate' && (ALLOWED[right] as readonly Role[]).includes(role);
}

/** Whether the viewer may open what needs this. */
export function isAllowed(viewer: Viewer, needs: Permission | Right): boolean {
  if (needs === 'operate') return viewer.isOperator;
  return needs.includes(':') ? viewer.permissions.has(needs as Permission) : mayDo(viewer.role, needs as Right);
}

/** Where a person begins: on the overview, or on intake with a role that hands in reports and sees no figures. */
export function homeOf(viewer: Viewer | undefined): '/' | '/settings/ingest' {
  return viewer === undefined || isAllowed(viewer, 'analytics:read') ? '/' : '/settings/ingest';
}
