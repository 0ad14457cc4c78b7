import type { Caller } from '@dmarc-ledger/ledger/for-api';
import type { Permission } from '@dmarc-ledger/vocabulary';
import { forbidden } from '../http/problem.ts';

export function requirePermission(caller: Caller, permission: Permission): void {
  if (!caller.permissions.has(permission)) throw forbidden(permission);
}
