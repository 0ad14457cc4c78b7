import type { BlobStore } from '@dmarc-ledger/blobs';
import { type Claimant, listMailboxes, type MailboxWithProgress, onMailboxChange } from '@dmarc-ledger/ledger';
import type { Database } from '@dmarc-ledger/schema';
import { serveMailboxes, type MailboxesNeeds, type ServedMailbox } from '@dmarc-ledger/inlets';
import { keepMailbox, watchPressure, type Bearing, type IntakeObserver } from '@dmarc-ledger/pipeline';
import { isPublicAddress } from '@dmarc-ledger/lookups';
import type { SecretBox } from '@dmarc-ledger/secrets';
import { idText, present } from '@dmarc-ledger/vocabulary';
import { requestAnyToken } from './request-token.ts';

export interface MailboxOptions extends Partial<
  Pick<MailboxesNeeds, 'rhythm' | 'patience' | 'heldBytes' | 'standbyMs' | 'listEveryMs'>
> {
  secrets: SecretBox;
  /** False: mailboxes are served without being held, which only doubles work. */
  lease?: boolean;
  bearing?: Bearing;
}

export interface MailboxHost extends MailboxOptions {
  database: Database;
  blobs: BlobStore;
  claimant: Claimant;
  observer?: IntakeObserver | undefined;
  /** Called when a mail server has refused a sign-in. */
  onAuthFailed?: (() => void) | undefined;
  onFault: (message: string, error: unknown, about?: { org: string; mailbox: string }) => void;
}

/** Reads all mailboxes of all organizations into the ledger, until the signal ends it. */
export async function runMailboxes(host: MailboxHost, signal: AbortSignal): Promise<void> {
  const { database, blobs, secrets, lease = true, bearing, observer, onAuthFailed, onFault, ...pace } = host;
  const claimant = lease ? host.claimant : null;
  const pressure = watchPressure({ database, blobs }, bearing);
  const orgs = new Map<string, string>();
  /** A fault with the ids under which `mailbox list` shows the mailbox and its organization. */
  const onMailboxFault = (message: string, error: unknown, id?: string) => {
    const orgId = id && orgs.get(id);
    onFault(message, error, id && orgId ? { org: idText(orgId), mailbox: idText(id) } : undefined);
  };
  const needs: MailboxesNeeds = {
    ...pace,
    onFault: onMailboxFault,
    onChange: (changed) => onMailboxChange(database.pool, changed),
    async list() {
      const mailboxes = await listMailboxes(database.db);
      for (const { id, org_id } of mailboxes) orgs.set(id, org_id);
      return mailboxes.filter(({ paused_at }) => paused_at === null).map(servedMailbox);
    },
    keep(id) {
      const key = { orgId: present(orgs.get(id)), mailboxId: id };
      const keeping = { database, blobs, secrets, requestToken: requestAnyToken, pressure, claimant, observer };
      const { store, watcher } = keepMailbox(keeping, key);
      return {
        store,
        watcher: {
          ...watcher,
          async failed({ code, message, retryable }, retryAt) {
            onMailboxFault(`A mailbox could not be read: ${message}`, code, id);
            if (code === 'auth_failed') onAuthFailed?.();
            const state = !retryable ? 'stopped' : code === 'throttled' ? 'throttled' : 'retrying';
            await watcher.failed({ state, code, message, retryAt });
          },
        },
      };
    },
  };
  await serveMailboxes(needs, signal);
}

function servedMailbox({
  id,
  host,
  port,
  tls,
  ca,
  username,
  folder,
  public_only,
  progress,
  ...rest
}: MailboxWithProgress): ServedMailbox {
  const { after_intake: afterIntake, processed_folder: processedFolder, refused_folder: refusedFolder } = rest;
  return {
    id,
    settings: {
      host,
      port,
      tls,
      ca,
      username,
      folder,
      afterIntake,
      processedFolder,
      refusedFolder,
      isAllowed: public_only ? isPublicAddress : undefined,
    },
    isStopped: progress.state === 'stopped',
  };
}
