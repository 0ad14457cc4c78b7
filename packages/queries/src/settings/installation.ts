import type { Db } from '@dmarc-ledger/schema';

/** What each process last found about the installation. It belongs to no organization. */
export async function findInstallation(db: Db) {
  return await db.selectFrom('installation_state').select(['part', 'found_at', 'found']).orderBy('part').execute();
}

export type InstallationPartState = Awaited<ReturnType<typeof findInstallation>>[number];
