import { ImapFlow, type ImapFlowOptions } from 'imapflow';
import type { Credentials, MailboxSettings } from './mailbox.ts';
import { HEADER_HELD, MAX_MAIL } from './mailbox.ts';
import { faultOf, MailboxFault } from './mailbox-fault.ts';

/** How long we wait for things that a mail server does. */
export interface Patience {
  connectMs: number;
  /** Without a byte from the server while it owes us one. */
  silenceMs: number;
  /** A batch of mail has time for a silence, and for its bytes at this rate. */
  slowestBytesPerSecond: number;
  /** IDLE is begun anew after this: while a server that has nothing to tell is not yet one that is silent. */
  idleMs: number;
}

export const PATIENCE: Patience = {
  connectMs: 20_000,
  silenceMs: 60_000,
  slowestBytesPerSecond: 32 * 1024,
  idleMs: 40_000,
};

/** A connected, signed-in client. Without TLS nothing is said but that it must begin. */
export async function connect(
  { host, port, tls, ca, username }: MailboxSettings,
  credentials: Credentials,
  patience: Patience = PATIENCE,
  signal?: AbortSignal,
): Promise<ImapFlow> {
  const secret = 'password' in credentials ? { pass: credentials.password } : { accessToken: credentials.accessToken };
  const options: ImapFlowOptions = {
    host,
    port,
    secure: tls === 'implicit',
    ...(tls === 'starttls' && { doSTARTTLS: true }),
    tls: { minVersion: 'TLSv1.2', ...(ca !== null && { ca }) },
    auth: { user: username, ...secret },
    clientInfo: { name: 'DMARC Ledger' },
    logger: false,
    emitLogs: true, // only there is told that the server wants us to slow down
    disableAutoIdle: true,
    disableCompression: true,
    connectionTimeout: patience.connectMs,
    greetingTimeout: patience.connectMs,
    socketTimeout: patience.silenceMs,
    // A server that promises more than this is no longer listened to; sizes are asked before anything is fetched.
    maxLiteralSize: MAX_MAIL + HEADER_HELD,
    maxResponseSize: MAX_MAIL + 16 * HEADER_HELD,
    maxLineLength: 1024 ** 2,
  };
  const client = new ImapFlow(options);
  client.on('error', () => undefined); // whoever waits for an answer is told; nobody else needs to be
  const close = () => client.close();
  signal?.addEventListener('abort', close, { once: true });
  try {
    await client.connect();
    return client;
  } catch (error) {
    close();
    throw faultOf(error);
  } finally {
    signal?.removeEventListener('abort', close);
  }
}

/**
 * Opens the folder for reading and moving, from the server's own view: its UIDVALIDITY, and whether flags may be set.
 */
export async function openFolder(client: ImapFlow, folder: string) {
  try {
    const opened = await client.mailboxOpen(folder);
    if (!opened) throw new Error('no answer');
    return { uidValidity: Number(opened.uidValidity), permanentFlags: opened.permanentFlags ?? new Set<string>() };
  } catch (error) {
    if (!client.usable) throw faultOf(error);
    const says = `The folder ${folder} cannot be opened.${await othersOf(client)}`;
    throw new MailboxFault('folder_missing', says, { cause: error });
  }
}

/** Until it is stopped, asks the server something now and then: neither side takes the other for gone while we wait. */
export function keepAwake(client: ImapFlow, { idleMs }: Patience): () => void {
  const timer = setInterval(() => void client.noop().catch(() => undefined), idleMs);
  return () => clearInterval(timer);
}

const FOLDERS_NAMED = 20;
const NAME_SHOWN = 60;

/** The folders that there are, spelled as this server does: what parts their names differs between servers. */
async function othersOf(client: ImapFlow): Promise<string> {
  const folders = await client.list().catch(() => []);
  if (folders.length === 0) return '';
  const names = folders.slice(0, FOLDERS_NAMED).map(({ path }) => path.slice(0, NAME_SHOWN));
  return ` There are: ${names.join(', ')}${folders.length > FOLDERS_NAMED ? ', …' : ''}.`;
}
