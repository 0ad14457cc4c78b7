import type { FolderProgress } from '@dmarc-ledger/vocabulary';
import type { BlobStore } from '@dmarc-ledger/blobs';
import {
  type Claimant,
  findFinishedItems,
  findMailbox,
  findUnknownUids,
  hasOpenItems,
  holdMailbox,
  type MailboxKey,
  markActed,
  noteAttempt,
  saveFolderProgress,
  noteSuccess,
  noteTrouble,
  openUidValidity,
  type Trouble,
} from '@dmarc-ledger/ledger';
import type { Database } from '@dmarc-ledger/schema';
import type { SecretBox } from '@dmarc-ledger/secrets';
import type { IntakeObserver } from '../intake/observer.ts';
import { accessToken, secretPlace, type RequestToken } from './access-token.ts';
import { waitTexts } from './mailbox-texts.ts';
import type { Pressure, WaitReason } from './pressure.ts';
import { receiveMails, type ArrivedMail } from './receive-mails.ts';

export interface MailboxKeeping {
  database: Database;
  blobs: BlobStore;
  secrets: SecretBox;
  requestToken: RequestToken;
  pressure: Pressure;
  /** The holder of mailboxes; null: they are read without being held, which only doubles the work. */
  claimant: Claimant | null;
  observer?: IntakeObserver | undefined;
}

/** How often the hold on a mailbox is checked. */
const ASKED_AFTER_MS = 5_000;
const NOTED_AFTER_MS = 10_000;

/** The ledger of one mailbox, as its reader needs it, with the progress that it records. */
export function keepMailbox(keeping: MailboxKeeping, key: MailboxKey) {
  const { database, secrets, pressure, claimant } = keeping;
  const { db } = database;
  let heldUntil = 0;
  let reason: WaitReason | null = null;
  let noted: { state: string; at: number } = { state: '', at: -Infinity };

  const store = {
    async credentials(refused?: string) {
      const mailbox = await findMailbox(db, key.mailboxId);
      if (mailbox?.auth === 'oauth') return await accessToken(keeping, key, refused);
      return { password: mailbox ? secrets.open(mailbox.secret, secretPlace(key, 'secret')) : '' };
    },
    open: (uidValidity: number) => openUidValidity(database, key, uidValidity),
    async hold() {
      if (claimant === null || heldUntil > performance.now()) return true;
      const asked = performance.now();
      const isOurs = await holdMailbox(db, key, await claimant.name());
      heldUntil = isOurs ? asked + ASKED_AFTER_MS : 0;
      return isOurs;
    },
    hasSpace: async () => (reason = await pressure.reasonToWait(key)) === null,
    unknown: (uidValidity: number, uids: readonly number[]) => findUnknownUids(db, key, uidValidity, uids),
    receive: (uidValidity: number, mails: readonly ArrivedMail[]) => receiveMails(keeping, key, uidValidity, mails),
    saveProgress: (uidValidity: number, folderProgress: FolderProgress) =>
      saveFolderProgress(db, key, uidValidity, folderProgress),
    finished: (uidValidity: number, limit: number) => findFinishedItems(db, key, uidValidity, limit),
    hasUnfinished: (uidValidity: number) => hasOpenItems(db, key, uidValidity),
    acted: (uidValidity: number, uids: readonly number[], action: 'moved' | 'flagged' | 'left' | 'gone') =>
      markActed(db, key, { uidValidity, uids }, action),
  };

  const watcher = {
    attempting: () => noteAttempt(db, key),
    async looked(hasSpace: boolean, concern?: Pick<Trouble, 'code' | 'message'>) {
      const state = hasSpace ? 'connected' : 'held';
      const remark = !hasSpace && reason ? { code: reason, message: waitTexts[reason] } : concern;
      const now = `${state} ${remark?.message ?? ''}`;
      if (noted.state === now && performance.now() - noted.at < NOTED_AFTER_MS) return;
      await noteSuccess(db, key, state, remark);
      noted = { state: now, at: performance.now() };
    },
    async failed(trouble: Trouble) {
      noted = { state: trouble.state, at: performance.now() };
      await noteTrouble(db, key, trouble);
    },
  };

  return { store, watcher };
}
