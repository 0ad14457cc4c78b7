import { randomUUID } from 'node:crypto';
import { addMailbox, openUidValidity, type NewMailbox } from '@dmarc-ledger/ledger';
import { receiveMails } from '../src/mailboxes/receive-mails.ts';
import type { Ledger } from './ledger.ts';

type Place = Pick<Ledger, 'database' | 'blobs' | 'orgId'>;

export interface TestMailbox {
  id: string;
  /** Receives mails as an ingester would. */
  bring(...mails: Buffer[]): Promise<void>;
}

/** The settings of a mailbox that is never connected to. */
export const mailboxSettings: Omit<NewMailbox, 'username' | 'auth' | 'oauth' | 'seal'> = {
  host: 'imap.example',
  port: 993,
  tls: 'implicit',
  ca: null,
  folder: 'INBOX',
  after_intake: 'leave',
  processed_folder: 'Processed',
  refused_folder: 'Refused',
  shared: false,
  authserv_ids: [],
};

/** A mailbox of the organization, without a server. */
export async function openMailbox(
  place: Place,
  { shared = false, authservIds = [] as string[], address = randomUUID() as string } = {},
): Promise<TestMailbox> {
  const { database, blobs, orgId } = place;
  const id = await addMailbox(database, orgId, {
    ...mailboxSettings,
    username: address,
    auth: 'password',
    shared,
    authserv_ids: authservIds,
    oauth: null,
    seal: () => Buffer.alloc(0),
  });
  const key = { orgId, mailboxId: id };
  await openUidValidity(database, key, 1);
  let uid = 0;
  return {
    id,
    async bring(...mails) {
      const arrived = mails.map((content) => ({
        uid: (uid += 1),
        content,
        size: content.length,
        arrivedAt: null,
        isHeaderOnly: false,
      }));
      await receiveMails({ database, blobs }, key, 1, arrived);
    },
  };
}
