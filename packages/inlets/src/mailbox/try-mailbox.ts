import { present } from '@dmarc-ledger/vocabulary';
import { mannerOf, type Manner } from './act.ts';
import { connect, openFolder, type Patience } from './connect.ts';
import type { Credentials, MailboxSettings } from './mailbox.ts';
import { messagesIn } from './scan.ts';

/** The properties of a mailbox, as its server reports them. */
export interface MailboxSight {
  capabilities: string[];
  uidValidity: number;
  messages: number;
  manner: Manner;
  hasIdle: boolean;
  /** The servers named in Authentication-Results of the newest mail: candidates for trust. */
  authservIds: string[];
}

/** Signs in, opens the folder, reads the newest mail, changes nothing. An aborted signal ends the connection. */
export async function tryMailbox(
  settings: MailboxSettings,
  credentials: Credentials,
  { patience, signal }: { patience?: Patience; signal?: AbortSignal } = {},
): Promise<MailboxSight> {
  const client = await connect(settings, credentials, patience, signal);
  const close = () => client.close();
  signal?.addEventListener('abort', close, { once: true });
  try {
    const { uidValidity, permanentFlags } = await openFolder(client, settings.folder);
    const messages = messagesIn(client);
    const newest = messages > 0 && (await client.fetchOne('*', { headers: ['authentication-results'] }));
    return {
      capabilities: [...client.capabilities.keys()].toSorted(),
      uidValidity,
      messages,
      manner: mannerOf(settings, client.capabilities, permanentFlags),
      hasIdle: client.capabilities.has('IDLE'),
      authservIds: newest && newest.headers ? idsIn(newest.headers.toString()) : [],
    };
  } finally {
    signal?.removeEventListener('abort', close);
    await client.logout().catch(() => undefined);
  }
}

/** The first word of each field, unless it is a result already: `-` stands for a server that does not name itself. */
function idsIn(headers: string): string[] {
  const fields = headers.replace(/\r?\n[ \t]+/g, ' ').matchAll(/^authentication-results:\s*([^;\s]*)/gim);
  return [
    ...new Set([...fields].map(([, id]) => (id === '' || present(id).includes('=') ? '-' : present(id).toLowerCase()))),
  ];
}
