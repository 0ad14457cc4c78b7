import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createKey, createOrganization, findOrganization, listOrganizations } from '@dmarc-ledger/ledger';
import type { Db } from '@dmarc-ledger/schema';

export interface FirstOrganization {
  orgId: string;
  key: string;
}

const NAME = 'My organization';

/**
 * On the first run, creates an organization and a key, and keeps the key in the data folder, readable by its owner
 * alone. Later the same key is shown again; a new one is created when the file is gone.
 */
export async function firstOrganization(db: Db, dataDir: string): Promise<FirstOrganization> {
  const file = join(dataDir, 'api-key');
  const known =
    (await findOrganization(db, { name: NAME })) ??
    (await listOrganizations(db)).find(({ removed_at }) => removed_at === null);
  const kept = known && (await readKey(file));
  if (known && kept) return { orgId: known.id, key: kept };
  const { id: orgId } = known ?? (await createOrganization(db, { name: NAME }));
  const { key } = await createKey(db, orgId, { scope: 'full', name: 'made by start' });
  await writeFile(file, `${key}\n`, { mode: 0o600 });
  await chmod(file, 0o600);
  return { orgId, key };
}

async function readKey(file: string): Promise<string | null> {
  return await readFile(file, 'utf8').then(
    (text) => text.trim() || null,
    () => null,
  );
}
