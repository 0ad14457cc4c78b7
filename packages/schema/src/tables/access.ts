import type { KeyScope, Role } from '@dmarc-ledger/vocabulary';
import type { Defaulted } from './columns.ts';

export interface PlanTable {
  code: string;
  hourly_quota: number | null;
  api: Defaulted<boolean>;
}

export interface OrganizationTable {
  id: string;
  name: string;
  plan: Defaulted<string>;
  report_addresses: Defaulted<string[]>;
  /** Whether reports of which no mail passed as the reporter are counted, or held until they are released. */
  unauthenticated: Defaulted<'count' | 'hold'>;
  /** True while it holds the bundled samples. */
  has_samples: Defaulted<boolean>;
  created_at: Defaulted<Date>;
  suspended_at: Date | null;
  /** Set when the organization was removed: its rows are being deleted, this one last. */
  removed_at: Date | null;
  purge_due_at: Defaulted<Date>;
}

export interface AppUserTable {
  org_id: string;
  id: string;
  email: string;
  role: Role;
  created_at: Defaulted<Date>;
  removed_at: Date | null;
}

export interface ApiKeyTable {
  org_id: string;
  id: string;
  prefix: string;
  secret_sha256: Buffer;
  last_four: string;
  scope: KeyScope;
  owner_id: string | null;
  name: Defaulted<string>;
  created_at: Defaulted<Date>;
  expires_at: Date | null;
  revoked_at: Date | null;
  last_used_at: Date | null;
}
