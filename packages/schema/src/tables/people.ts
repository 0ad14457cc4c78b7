import type { Defaulted, Json } from './columns.ts';

/** A person who signs in to the pages; a member of each organization that has a user of the same address. */
export interface PersonTable {
  id: string;
  /** In lower case. */
  email: string;
  /** PHC string; null: no password. */
  password_hash: string | null;
  password_set_at: Date | null;
  created_at: Defaulted<Date>;
}

export type SignedInBy = 'link' | 'password' | 'oidc';

export interface SessionTable {
  token_sha256: Buffer;
  id: string;
  person_id: string;
  chosen_org: string | null;
  signed_in_by: SignedInBy;
  user_agent: Defaulted<string>;
  address: Defaulted<string>;
  created_at: Defaulted<Date>;
  last_seen_at: Defaulted<Date>;
  expires_at: Date;
}

export type LinkPurpose = 'sign_in' | 'invitation' | 'password_reset';

export interface SignInLinkTable {
  token_sha256: Buffer;
  person_id: string;
  purpose: LinkPurpose;
  created_at: Defaulted<Date>;
  expires_at: Date;
  used_at: Date | null;
}

export interface SignInAttemptTable {
  subject: string;
  window_begin: Date;
  attempts: number;
}

/** An account at an identity provider, linked with a person. */
export interface PersonIdentityTable {
  issuer: string;
  subject: string;
  person_id: string;
  created_at: Defaulted<Date>;
  last_used_at: Defaulted<Date>;
}

export interface UploadTicketTable {
  org_id: string;
  token_sha256: Buffer;
  purpose: Defaulted<'upload' | 'settings' | 'raw'>;
  expires_at: Date;
}

/** A person who runs the installation. */
export interface OperatorTable {
  person_id: string;
  since: Defaulted<Date>;
}

/** What the scheduler, an ingester, a worker and the command `doctor` find. */
export type InstallationPart = 'ledger' | 'disk' | 'queues' | 'doctor';

/** What one process last found about the installation. */
export interface InstallationStateTable {
  part: InstallationPart;
  found_at: Date;
  found: Json<InstallationFinding[]>;
}

/** One finding about the installation, as `doctor` says it. */
export interface InstallationFinding {
  check: string;
  state: 'ok' | 'warning' | 'error';
  says: string;
  mend: string | null;
}
