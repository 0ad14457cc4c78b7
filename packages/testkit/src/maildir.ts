import { chownSync, existsSync, globSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { SystemUser } from './system-user.ts';

const PAUSE_EVERY = 1_000;

let delivered = 0;

/** Puts messages into a folder of a home as a mail server does: written to a temporary file, then moved. */
export async function deliverToMaildir(
  home: string,
  folder: string,
  messages: readonly Buffer[],
  { uid, gid }: SystemUser,
): Promise<void> {
  const path = makeFolder(home, folder, (made) => chownSync(made, uid, gid));
  for (const message of messages) {
    const name = `${Math.floor(Date.now() / 1000)}.M${String((delivered += 1)).padStart(9, '0')}P${process.pid}.test`;
    const aside = join(path, 'tmp', name);
    writeFileSync(aside, message);
    chownSync(aside, uid, gid);
    renameSync(aside, join(path, 'new', name));
    if (delivered % PAUSE_EVERY === 0) await setImmediate();
  }
}

/** Forgets which UID each message has: the next session finds another UIDVALIDITY. */
export function forgetUids(home: string, folder: string): void {
  for (const path of globSync(join(folderPath(home, folder), 'dovecot[-.]{uidlist,index}*'))) rmSync(path);
}

function makeFolder(home: string, folder: string, own: (path: string) => void): string {
  const path = folderPath(home, folder);
  for (const made of [home, join(home, 'Maildir'), path, ...['cur', 'new', 'tmp'].map((name) => join(path, name))]) {
    if (existsSync(made)) continue;
    // the server may have created it meanwhile
    if (mkdirSync(made, { mode: 0o700, recursive: true }) !== undefined) own(made);
  }
  return path;
}

/** Folders are siblings: `A/B` is `.A.B`. */
function folderPath(home: string, folder: string): string {
  const root = join(home, 'Maildir');
  return folder === 'INBOX' ? root : join(root, `.${folder.replaceAll('/', '.')}`);
}
