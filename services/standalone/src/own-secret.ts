import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '@dmarc-ledger/vocabulary';

interface SecretOptions {
  SECRET_KEY?: string | undefined;
  DATABASE_URL?: string | undefined;
}

/**
 * The key that seals secrets: `SECRET_KEY`, else a generated key beside the embedded database. A shared database needs
 * a shared key, so none is generated for it.
 */
export async function secretKeyOf(options: SecretOptions, dataDir: string): Promise<string | undefined> {
  if (options.SECRET_KEY) return options.SECRET_KEY;
  if (options.DATABASE_URL) return undefined;
  const path = join(dataDir, 'secret.key');
  return (await readKey(path)) ?? (await makeKey(path, dataDir));
}

async function readKey(path: string): Promise<string | undefined> {
  return (await readFile(path, 'utf8').catch(unless('ENOENT')))?.trim();
}

/**
 * Of several processes that generate one at the same time, one gives its file the name, whole and durable; all read
 * that one.
 */
async function makeKey(path: string, dataDir: string): Promise<string | undefined> {
  await mkdir(dataDir, { recursive: true });
  const own = `${path}.${randomBytes(8).toString('hex')}`;
  try {
    await writeDurably(own, `${randomBytes(32).toString('hex')}\n`);
    await link(own, path).catch(unless('EEXIST'));
  } finally {
    await rm(own, { force: true });
  }
  await syncFolder(dataDir);
  return await readKey(path);
}

async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

function unless(code: string): (error: unknown) => undefined {
  return (error) => {
    if (errorCode(error) === code) return undefined;
    throw error;
  };
}
