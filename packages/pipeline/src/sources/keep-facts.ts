import { type FoundFacts, putOffLookups, saveFacts } from '@dmarc-ledger/ledger';
import { type Database, isStorageFailure, transact } from '@dmarc-ledger/schema';

/**
 * Keeps what was found out about addresses: together, and when that fails each on its own, so that one whose facts
 * cannot be kept loses nobody else's. Such a one is put off. Returns why, an error for each.
 * @throws when the database cannot be asked: nothing is lost, the same addresses are looked up again.
 */
export async function keepFacts(database: Database, found: readonly FoundFacts[]): Promise<unknown[]> {
  const error = await save(database, found);
  if (error === undefined) return [];
  if (found.length === 1) {
    await putOffLookups(
      database,
      found.map(({ row }) => row.address),
    );
    return [error];
  }
  const errors: unknown[] = [];
  for (const one of found) errors.push(...(await keepFacts(database, [one])));
  return errors;
}

/** The error that the facts themselves are the cause of. */
async function save(database: Database, found: readonly FoundFacts[]): Promise<unknown> {
  try {
    await transact(database, (session) => saveFacts(session, found));
    return undefined;
  } catch (error) {
    if (isStorageFailure(error)) throw error;
    return error;
  }
}
