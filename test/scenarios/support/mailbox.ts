import type { BlobStore } from '@dmarc-ledger/blobs';
import { addMailbox, enterMessages } from '@dmarc-ledger/ledger';
import type { SampleFile } from '@dmarc-ledger/samples';
import type { Database } from '@dmarc-ledger/schema';
import { SERVER } from './reports.ts';

/** A mailbox of an organization, without a server, that trusts the results of the scenarios' mail server. */
export async function openMailbox({ database, blobs, orgId }: { database: Database; blobs: BlobStore; orgId: string }) {
  const mailboxId = await addMailbox(database, orgId, {
    host: 'imap.ledger.example',
    port: 993,
    tls: 'implicit',
    ca: null,
    username: orgId,
    folder: 'INBOX',
    auth: 'password',
    after_intake: 'leave',
    processed_folder: 'Processed',
    refused_folder: 'Refused',
    shared: false,
    authserv_ids: [SERVER],
    oauth: null,
    seal: () => Buffer.alloc(0),
  });
  return {
    async bring(mails: readonly SampleFile[]): Promise<void> {
      const stored = await Promise.all(mails.map(({ bytes }) => blobs.put(bytes)));
      const messages = stored.map((blob, i) => ({
        ...blob,
        source: 'mailbox' as const,
        name: mails[i]?.name ?? null,
        mailboxId,
      }));
      await enterMessages(database.db, orgId, messages);
    },
  };
}
