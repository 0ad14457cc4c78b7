import type { BlobStore } from '@dmarc-ledger/blobs';
import { findDatabaseIdentity } from '@dmarc-ledger/ledger';
import type { Database } from '@dmarc-ledger/schema';

interface Owner {
  database: string;
  since: Date;
}

/**
 * The instant since which the store belongs to this database: now, if it had no owner or another. Bytes that were
 * stored before may have deliveries that this database does not know: those of the other, or those received after the
 * backup from which this one was restored.
 */
export async function ownedSince(
  { db }: Database,
  blobs: BlobStore,
  onTakenOver: () => void = () => undefined,
): Promise<Date> {
  const database = await findDatabaseIdentity(db);
  const owner = readOwner(await blobs.owner());
  if (owner?.database === database) return owner.since;
  const since = new Date();
  await blobs.setOwner(`${database} ${since.toISOString()}\n`);
  if (owner) onTakenOver();
  return since;
}

/** Undefined for a text that was cut off or changed by hand: its store has no known owner. */
function readOwner(text = ''): Owner | undefined {
  const [, database, instant] = /^(\S+) (\S+)\n$/.exec(text) ?? [];
  if (database === undefined || instant === undefined) return undefined;
  const since = new Date(instant);
  return Number.isNaN(since.getTime()) ? undefined : { database, since };
}
