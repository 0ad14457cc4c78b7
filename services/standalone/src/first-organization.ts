import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createKey, createOrganization, identifyKey, listOrganizations } from '@dmarc-ledger/ledger';
import type { Db } from '@dmarc-ledger/schema';

export interface FirstOrganization {
  orgId: string;
  key: string;
  /** False for the only organization of a ledger that others have set up: it is to have no samples. */
  isOwn: boolean;
}

const NAME = 'My organization';

/**
 * On the first run, creates an organization and a key, and keeps the key in the data folder, readable by its owner
 * alone. Later the same key is shown again; a new one is created when the file is gone or the key has ended.
 */
export async function firstOrganization(db: Db, dataDir: string): Promise<FirstOrganization> {
  const file = join(dataDir, 'api-key');
  const kept = await readKey(file);
  const holder = kept === null ? undefined : await identifyKey(db, kept);
  const known = await ownOrganization(db, holder?.orgId);
  const isOwn = !known || known.id === holder?.orgId || known.name === NAME;
  if (known && kept !== null && holder?.orgId === known.id && !holder.hasEnded)
    return { orgId: known.id, key: kept, isOwn };
  const { id: orgId } = known ?? (await createOrganization(db, { name: NAME }));
  const { key } = await createKey(db, orgId, { scope: 'full', name: 'made by start' });
  await writeFile(file, `${key}\n`, { mode: 0o600 });
  await chmod(file, 0o600);
  return { orgId, key, isOwn };
}

/**
 * The organization of the kept key, which may have been renamed; without one, that of the usual name, or the only one.
 * Among several others none is chosen: they may be those of customers.
 */
async function ownOrganization(
  db: Db,
  keyOrgId: string | undefined,
): Promise<{ id: string; name: string } | undefined> {
  const living = (await listOrganizations(db)).filter(({ removed_at }) => removed_at === null);
  return (
    living.find(({ id }) => id === keyOrgId) ??
    living.find(({ name }) => name === NAME) ??
    (living.length === 1 ? living[0] : undefined)
  );
}

async function readKey(file: string): Promise<string | null> {
  return await readFile(file, 'utf8').then(
    (text) => text.trim() || null,
    () => null,
  );
}
