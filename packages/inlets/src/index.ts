export type { FoundFile } from './files/found-file.ts';
export { readPaths, type Unreadable } from './files/read-paths.ts';
export { tooLarge } from './upload/upload-errors.ts';
export type { OpenedRaw, RawHost } from './upload/raw-route.ts';
export type { SettingsHost } from './upload/settings-route.ts';
export { makeUploadServer, type DeliveryStatus, type UploadedBody, type UploadHost } from './upload/upload-server.ts';
export { requestToken, type IssuedToken, type TokenRequest } from './mailbox/access-token.ts';
export { PATIENCE, type Patience } from './mailbox/connect.ts';
export type {
  Action,
  Credentials,
  UidValidity,
  FetchedMail,
  MailboxStore,
  MailboxSettings,
} from './mailbox/mailbox.ts';
export { MailboxFault, type MailboxFaultCode } from './mailbox/mailbox-fault.ts';
export type { MailboxWatcher } from './mailbox/serve-mailbox.ts';
export { serveMailboxes, type MailboxesNeeds, type ServedMailbox } from './mailbox/serve-mailboxes.ts';
export type { Rhythm } from './mailbox/session.ts';
export { tryMailbox, type MailboxSight } from './mailbox/try-mailbox.ts';
