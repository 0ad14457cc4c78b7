import { Socket } from 'node:net';
import type { ImapFlow, ImapFlowOptions } from 'imapflow';
import { limitCommands } from './limit-commands.ts';
import type { Credentials, MailboxSettings } from './mailbox.ts';
import { HEADER_HELD, MAX_MAIL } from './mailbox.ts';
import { faultOf, MailboxFault } from './mailbox-fault.ts';
import { reachHost } from './reach-host.ts';
import { limitLines } from './limit-lines.ts';

/** Time limits for the answers of a mail server. */
export interface Patience {
  connectMs: number;
  /** Without a byte from the server while it owes an answer. */
  silenceMs: number;
  /** A batch of mail may take one silence, and the time of its bytes at this rate. */
  slowestBytesPerSecond: number;
  /** IDLE is restarted after this, before a server without news counts as a silent one. */
  idleMs: number;
}

export const PATIENCE: Patience = {
  connectMs: 20_000,
  silenceMs: 60_000,
  slowestBytesPerSecond: 32 * 1024,
  idleMs: 40_000,
};

/** A command that is no request for the bodies of mails may take as long as this many silences. */
const COMMAND_SILENCES = 5;

/** A connected, signed-in client. Without TLS nothing is sent but the request to begin it. */
export async function connect(
  { host, port, tls, ca, username, isAllowed }: MailboxSettings,
  credentials: Credentials,
  patience: Patience = PATIENCE,
  signal?: AbortSignal,
): Promise<ImapFlow> {
  const secret = 'password' in credentials ? { pass: credentials.password } : { accessToken: credentials.accessToken };
  const inTime = AbortSignal.timeout(patience.connectMs);
  const ending = signal ? AbortSignal.any([signal, inTime]) : inTime;
  const reach = await reachHost(host, isAllowed, ending).catch((error: unknown) => {
    throw faultOf(error);
  });
  const options: ImapFlowOptions = {
    ...reach,
    port,
    secure: tls === 'implicit',
    ...(tls === 'starttls' && { doSTARTTLS: true }),
    tls: { minVersion: 'TLSv1.2', ...(ca !== null && { ca }) },
    auth: { user: username, ...secret },
    clientInfo: { name: 'DMARC Ledger' },
    logger: false,
    emitLogs: true, // only this event carries the server's request to slow down
    disableAutoIdle: true,
    disableCompression: true,
    connectionTimeout: patience.connectMs,
    greetingTimeout: patience.connectMs,
    socketTimeout: patience.silenceMs,
    // More capabilities than this are ignored; sizes are requested before anything is fetched.
    maxLiteralSize: MAX_MAIL + HEADER_HELD,
    maxResponseSize: MAX_MAIL + 16 * HEADER_HELD,
    maxLineLength: 1024 ** 2,
  };
  const { ImapFlow: Client } = await import('imapflow'); // most commands open no mailbox
  const client = new Client(options);
  client.on('error', () => undefined); // a pending command reports it
  limitLines(client);
  limitCommands(client, COMMAND_SILENCES * patience.silenceMs);
  const close = () => client.close();
  signal?.addEventListener('abort', close, { once: true });
  try {
    await client.connect();
    keepListening(client);
    return client;
  } catch (error) {
    close();
    throw faultOf(error);
  } finally {
    signal?.removeEventListener('abort', close);
  }
}

/**
 * Listens to the errors of the client's socket as long as it lives. `close` removes the client's own listeners, so a
 * reset of the connection at the same moment would have none, and end the process.
 */
function keepListening(client: ImapFlow): void {
  const socket: unknown = Reflect.get(client, 'socket');
  if (socket instanceof Socket) socket.on('error', () => undefined);
}

/**
 * Opens the folder for reading and moving. Returns the server's view of it: its UIDVALIDITY, and whether flags may be
 * set.
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

/** Sends the server a command now and then until it is stopped, so that neither side closes the connection as dead. */
export function keepAwake(client: ImapFlow, { idleMs }: Patience): () => void {
  const timer = setInterval(() => void client.noop().catch(() => undefined), idleMs);
  return () => clearInterval(timer);
}

const FOLDERS_NAMED = 20;
const NAME_SHOWN = 60;

/** The existing folders, spelled as this server does: the separator of names differs between servers. */
async function othersOf(client: ImapFlow): Promise<string> {
  const folders = await client.list().catch(() => []);
  if (folders.length === 0) return '';
  const names = folders.slice(0, FOLDERS_NAMED).map(({ path }) => path.slice(0, NAME_SHOWN));
  return ` There are: ${names.join(', ')}${folders.length > FOLDERS_NAMED ? ', …' : ''}.`;
}
