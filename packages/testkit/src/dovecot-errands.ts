import { ImapFlow } from 'imapflow';
import type { DovecotPlace } from './dovecot-config.ts';

/** A message as the server lists it. */
export interface StoredMail {
  uid: number;
  flags: string[];
  source: Buffer;
}

/** Changes to mailboxes by IMAP, as any client would make them. */
export function errandsBy({ port, password }: Pick<DovecotPlace, 'port' | 'password'>) {
  const as = async <T>(user: string, work: (client: ImapFlow) => Promise<T>): Promise<T> => {
    const auth = { user, pass: password };
    const client = new ImapFlow({ host: '127.0.0.1', port, secure: false, doSTARTTLS: false, auth, logger: false });
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.logout();
    }
  };
  return {
    append: (user: string, folder: string, messages: readonly Buffer[]) =>
      as(user, async (client) => {
        for (const message of messages) await client.append(folder, message);
      }),
    messages: (user: string, folder: string) =>
      as(user, async (client): Promise<StoredMail[]> => {
        const { exists } = await client.mailboxOpen(folder, { readOnly: true });
        const found = exists === 0 ? [] : await client.fetchAll('1:*', { uid: true, flags: true, source: true });
        return found.map(({ uid, flags, source }) => ({ uid, flags: [...(flags ?? [])], source: source as Buffer }));
      }),
    moveAll: (user: string, from: string, to: string) =>
      as(user, async (client) => {
        await client.mailboxOpen(from);
        await client.messageMove('1:*', to);
      }),
    createFolder: (user: string, folder: string) =>
      as(user, async (client) => void (await client.mailboxCreate(folder))),
    deleteFolder: (user: string, folder: string) =>
      as(user, async (client) => void (await client.mailboxDelete(folder))),
  };
}
