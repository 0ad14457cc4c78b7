import { type FoundFacts, putOffLookups, saveFacts } from '@dmarc-ledger/ledger';
import { type Database, isStorageFailure, transact } from '@dmarc-ledger/schema';

/**
 * Stores findings about addresses: together, and when that fails each on its own, so that one address whose facts
 * cannot be stored does not affect the others. Such an address is put off. Returns an error for each of them.
 * @throws when the database is down: nothing is lost, the same addresses are looked up again.
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

/** The error, when the facts themselves cause it. */
async function save(database: Database, found: readonly FoundFacts[]): Promise<unknown> {
  try {
    await transact(database, (session) => saveFacts(session, found));
    return undefined;
  } catch (error) {
    if (isStorageFailure(error)) throw error;
    return error;
  }
}
