import { failPoint } from '@dmarc-ledger/vocabulary';
import type { ImapFlow } from 'imapflow';
import { ensureFolder, KEYWORDS, mannerOf, putAside, type Manner } from './act.ts';
import type { UidValidity, MailboxStore, MailboxSettings } from './mailbox.ts';

const ACTED_AT_ONCE = 200;

/** How mails will be put aside, with the folders that this needs. */
export async function prepareFolders(
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

/** Puts aside mails that are finished in the ledger, and never others. Returns whether there were any. */
export async function putFinishedAside(
  { store, settings }: { store: MailboxStore; settings: MailboxSettings },
  client: ImapFlow,
  manner: Manner,
  uidValidity: UidValidity,
): Promise<boolean> {
  const finished = await store.finished(uidValidity, ACTED_AT_ONCE);
  const { processedFolder, refusedFolder } = settings;
  for (const isRefused of [false, true]) {
    const uids = finished.filter((mail) => mail.isRefused === isRefused).map(({ uid }) => uid);
    if (uids.length === 0) continue;
    const place = isRefused
      ? { folder: refusedFolder, keyword: KEYWORDS.refused }
      : { folder: processedFolder, keyword: KEYWORDS.processed };
    await failPoint('F6');
    for (const [action, done] of await putAside(client, manner, uids, place))
      await store.acted(uidValidity, done, action);
  }
  return finished.length > 0;
}
