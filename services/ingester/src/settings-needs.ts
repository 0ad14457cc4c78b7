import type { BlobStore } from '@dmarc-ledger/blobs';
import type { Notifier } from '@dmarc-ledger/pipeline';
import type { Database } from '@dmarc-ledger/schema';
import type { SecretBox } from '@dmarc-ledger/secrets';
import { HttpProblem } from '@dmarc-ledger/vocabulary';

/** What changes of settings need beside the database. */
export interface SettingsNeeds {
  database: Database;
  blobs: BlobStore;
  /** Seals what people enter. Undefined: only changes without a secret can be made. */
  secrets: SecretBox | undefined;
  /** True: private addresses and all ports may be connected to (ALLOW_PRIVATE_ADDRESSES). */
  isOpen: boolean;
  /** Sends test notifications; opened by the first one. */
  openNotifier: () => Promise<Notifier>;
}

/** Returns what seals secrets; throws 422 for a change that has one, where the operator has set no key. */
export function requireSecrets({ secrets }: Pick<SettingsNeeds, 'secrets'>): SecretBox {
  if (secrets) return secrets;
  const error = 'Secrets cannot be stored here: the operator of this server has to set SECRET_KEY';
  throw new HttpProblem('settings_off', { status: 422, error });
}
