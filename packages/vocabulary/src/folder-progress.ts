/** How far one folder of a mailbox has been read. */
export interface FolderProgress {
  /** All mail up to this UID is received, or gone. */
  checkpoint: number;
  lastUid: number;
  /** The number of mails in the folder. */
  messages: number;
  /** The number of these mails that are still to be fetched. */
  backlog: number;
  oldestWaitingAt: Date | null;
  /** When the newest mail in the folder arrived, fetched or not. */
  newestAt: Date | null;
}
