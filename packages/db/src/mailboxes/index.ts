export { onMailboxChange } from './announce.ts';
export { findPressure, isFlooded } from './find-pressure.ts';
export { findFinishedItems, hasOpenItems } from './finished-items.ts';
export { enterMails, findUnknownUids, markActed, openEpoch, type NewMail } from './items.ts';
export {
  addMailbox,
  findMailbox,
  listMailboxes,
  removeMailbox,
  resume as resumeMailbox,
  type Mailbox,
  type MailboxKey,
  type MailboxWithProgress,
  type NewMailbox,
} from './mailboxes.ts';
export {
  holdMailbox,
  noteAttempt,
  noteStanding,
  noteSuccess,
  noteTrouble,
  type MailboxStanding,
  type Trouble,
} from './progress.ts';
export { renewToken, type SealedToken } from './token.ts';
export { findAilingMailboxes, type AilingMailbox, type Endurance } from './watch-mailboxes.ts';
export { resealMailboxes, type SealedSecrets } from './reseal.ts';
