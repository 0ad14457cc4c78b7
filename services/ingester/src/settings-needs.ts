import type { BlobStore } from '@dmarc-ledger/blobs';
import type { Notifier } from '@dmarc-ledger/pipeline';
import type { Database } from '@dmarc-ledger/schema';
import type { SecretBox } from '@dmarc-ledger/secrets';

/** What changes of settings need beside the database. */
export interface SettingsNeeds {
  database: Database;
  blobs: BlobStore;
  /** Seals what people enter. */
  secrets: SecretBox;
  /** True: private addresses and all ports may be connected to (ALLOW_PRIVATE_ADDRESSES). */
  isOpen: boolean;
  /** Sends test notifications; opened by the first one. */
  openNotifier: () => Promise<Notifier>;
}
