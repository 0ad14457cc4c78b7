import { failPoint } from '@dmarc-ledger/vocabulary';
import type { ImapFlow } from 'imapflow';
import { ensureFolder, KEYWORDS, mannerOf, putAside, type Manner } from './act.ts';
import { makeBell, type Bell } from './bell.ts';
import type { ByteBudget } from './byte-budget.ts';
import { connect, openFolder, PATIENCE, type Patience } from './connect.ts';
import type { Credentials, Epoch, MailboxKeeper, MailboxSettings } from './mailbox.ts';
import { faultOf, MailboxFault } from './mailbox-fault.ts';
import { Reading, type Reluctant } from './reading.ts';
import { messagesIn } from './scan.ts';

/** How often things are looked at. IDLE is a hint that shortens the wait; what is asked here is the floor. */
export interface Rhythm {
  /** A folder is searched anew at least so often, whatever IDLE says. */
  pollMs: number;
  /** What is being read in the ledger is asked about so often. */
  followMs: number;
  /** A session is begun anew after this: in an old one, a folder made anew keeps its former UIDVALIDITY. */
  sessionMs: number;
  /** An access token that ends within this is replaced before it does. */
  tokenMs: number;
}

export const RHYTHM: Rhythm = {
  pollMs: 5 * 60_000,
  followMs: 1_000,
  sessionMs: 25 * 60_000,
  tokenMs: 5 * 60_000,
};

const ACTED_AT_ONCE = 200;
const LEAVING_MS = 10_000;
const LOGOUT_MS = 2_000;

export interface SessionNeeds {
  settings: MailboxSettings;
  keeper: MailboxKeeper;
  budget: ByteBudget;
  reluctant: Reluctant;
  patience?: Patience;
  rhythm?: Rhythm;
  /** Told after every look at the folder, and whether there was room to take mail in. */
  onLook(hasRoom: boolean): Promise<void>;
}

/** One session on a mailbox, until it is time for another, it is no longer ours, or the signal ends it. */
export async function runSession(needs: SessionNeeds, signal: AbortSignal): Promise<void> {
  const { settings, keeper, patience = PATIENCE, rhythm = RHYTHM } = needs;
  const credentials = await keeper.credentials();
  const client = await connect(settings, credentials, patience);
  const bell = makeBell();
  const close = () => client.close();
  const leave = () => {
    bell.ring();
    setTimeout(close, LEAVING_MS).unref(); // what is in hand may be finished
  };
  signal.addEventListener('abort', leave, { once: true });
  for (const event of ['exists', 'close'] as const) client.on(event, () => bell.ring());
  try {
    await serve(needs, client, bell, sessionEnd(credentials, rhythm), signal);
    await Promise.race([client.logout(), new Promise((resolve) => setTimeout(resolve, LOGOUT_MS).unref())]);
  } catch (error) {
    if (!signal.aborted) throw faultOf(error);
  } finally {
    signal.removeEventListener('abort', leave);
    client.close();
  }
}

/** When to begin a new session: a little before the token ends, for the server ends the old one then. */
function sessionEnd(credentials: Credentials, { sessionMs, tokenMs }: Rhythm): number {
  const usual = Date.now() + sessionMs;
  if ('password' in credentials) return usual;
  return Math.min(usual, Math.max(credentials.expiresAt.getTime() - tokenMs, Date.now() + tokenMs / 2));
}

async function serve(
  needs: SessionNeeds,
  client: ImapFlow,
  bell: Bell,
  endsAt: number,
  signal: AbortSignal,
): Promise<void> {
  const { settings, keeper, rhythm = RHYTHM } = needs;
  const { epoch, permanentFlags } = await openFolder(client, settings.folder);
  await failPoint('F1');
  const manner = await prepared(client, settings, permanentFlags);
  const reading = new Reading({ ...needs, client, epoch }, await keeper.open(epoch));
  let isNew = true;
  let lookedAt = 0;
  while (!signal.aborted && Date.now() < endsAt && (await keeper.hold())) {
    if (!client.usable) throw new MailboxFault('connection_lost', 'The server ended the connection.');
    if (Date.now() - lookedAt >= rhythm.pollMs) {
      await client.noop();
      if (reading.hasHeld) reading.rewind();
      isNew = true;
      lookedAt = Date.now();
    }
    const hasRoom = await keeper.hasRoom();
    const wasNew = isNew;
    if (isNew && hasRoom) isNew = await reading.readBatch();
    const hasActed = await act(needs, client, manner, epoch);
    if (wasNew || hasActed) await reading.stand(isNew && hasRoom);
    await needs.onLook(hasRoom);
    if ((isNew && hasRoom) || hasActed) continue;
    if (!client.idling) void client.idle().catch(() => undefined); // its failure shows in the next command
    const isFollowing = !hasRoom || (await keeper.hasUnfinished(epoch));
    const messages = messagesIn(client);
    await bell.wait(isFollowing ? rhythm.followMs : Math.max(lookedAt + rhythm.pollMs - Date.now(), 0));
    isNew ||= client.usable && messagesIn(client) > messages;
  }
}

/** How mails will be put aside, with the folders that this needs. */
async function prepared(
  client: ImapFlow,
  settings: MailboxSettings,
  permanentFlags: ReadonlySet<string>,
): Promise<Manner> {
  const manner = mannerOf(settings, client.capabilities, permanentFlags);
  if (manner === 'move') {
    await ensureFolder(client, settings.processedFolder);
    await ensureFolder(client, settings.refusedFolder);
  }
  return manner;
}

/** Puts aside what has come to an end in the ledger: after that, and not before. */
async function act(
  { keeper, settings }: SessionNeeds,
  client: ImapFlow,
  manner: Manner,
  epoch: Epoch,
): Promise<boolean> {
  const finished = await keeper.finished(epoch, ACTED_AT_ONCE);
  const { processedFolder, refusedFolder } = settings;
  for (const isRefused of [false, true]) {
    const uids = finished.filter((mail) => mail.isRefused === isRefused).map(({ uid }) => uid);
    if (uids.length === 0) continue;
    const place = isRefused
      ? { folder: refusedFolder, keyword: KEYWORDS.refused }
      : { folder: processedFolder, keyword: KEYWORDS.processed };
    await failPoint('F6');
    for (const [action, done] of await putAside(client, manner, uids, place)) await keeper.acted(epoch, done, action);
  }
  return finished.length > 0;
}
