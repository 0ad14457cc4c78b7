import type { BlobStore } from '@dmarc-ledger/blobs';
import {
  type Claimant,
  findFinishedItems,
  findMailbox,
  findUnknownUids,
  hasOpenItems,
  holdMailbox,
  type MailboxKey,
  type MailboxStanding,
  markActed,
  noteAttempt,
  noteStanding,
  noteSuccess,
  noteTrouble,
  openEpoch,
  type Trouble,
} from '@dmarc-ledger/ledger';
import type { Database } from '@dmarc-ledger/schema';
import type { SecretBox } from '@dmarc-ledger/secrets';
import type { IntakeObserver } from '../intake/observer.ts';
import { accessToken, secretPlace, type RequestToken } from './access-token.ts';
import type { Pressure } from './pressure.ts';
import { receiveMails, type ArrivedMail } from './receive-mails.ts';

export interface MailboxKeeping {
  database: Database;
  blobs: BlobStore;
  secrets: SecretBox;
  requestToken: RequestToken;
  pressure: Pressure;
  /** In whose name mailboxes are held; null: they are read whoever else reads them, which is only work done twice. */
  claimant: Claimant | null;
  observer?: IntakeObserver | undefined;
}

/** How often it is made sure that a mailbox is still held. */
const ASKED_AFTER_MS = 5_000;
const NOTED_AFTER_MS = 10_000;

/** The ledger of one mailbox, as what reads the mailbox needs it, and what it tells of its doings. */
export function keepMailbox(keeping: MailboxKeeping, key: MailboxKey) {
  const { database, secrets, pressure, claimant } = keeping;
  const { db } = database;
  let heldUntil = 0;
  let noted: { state: string; at: number } = { state: '', at: 0 };

  const keeper = {
    async credentials(refused?: string) {
      const mailbox = await findMailbox(db, key.mailboxId);
      if (mailbox?.auth === 'oauth') return await accessToken(keeping, key, refused);
      return { password: mailbox ? secrets.open(mailbox.secret, secretPlace(key, 'secret')) : '' };
    },
    open: (epoch: number) => openEpoch(db, key, epoch),
    async hold() {
      if (claimant === null || heldUntil > Date.now()) return true;
      const asked = Date.now();
      const isOurs = await holdMailbox(db, key, await claimant.name());
      heldUntil = isOurs ? asked + ASKED_AFTER_MS : 0;
      return isOurs;
    },
    hasRoom: () => pressure.hasRoom(key),
    unknown: (epoch: number, uids: readonly number[]) => findUnknownUids(db, key, epoch, uids),
    receive: (epoch: number, mails: readonly ArrivedMail[]) => receiveMails(keeping, key, epoch, mails),
    stand: (epoch: number, standing: MailboxStanding) => noteStanding(db, key, epoch, standing),
    finished: (epoch: number, limit: number) => findFinishedItems(db, key, epoch, limit),
    hasUnfinished: (epoch: number) => hasOpenItems(db, key, epoch),
    acted: (epoch: number, uids: readonly number[], action: 'moved' | 'flagged' | 'left' | 'gone') =>
      markActed(db, key, epoch, uids, action),
  };

  const watcher = {
    attempting: () => noteAttempt(db, key),
    async looked(hasRoom: boolean, concern?: Pick<Trouble, 'code' | 'message'>) {
      const state = hasRoom ? 'connected' : 'held';
      const told = `${state} ${concern?.message ?? ''}`;
      if (noted.state === told && Date.now() - noted.at < NOTED_AFTER_MS) return;
      await noteSuccess(db, key, state, concern);
      noted = { state: told, at: Date.now() };
    },
    async failed(trouble: Trouble) {
      noted = { state: trouble.state, at: Date.now() };
      await noteTrouble(db, key, trouble);
    },
  };

  return { keeper, watcher };
}
