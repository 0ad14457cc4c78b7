import type { CountedReporter } from '@dmarc-ledger/dmarc';
import { type Database, type Db, transact } from '@dmarc-ledger/schema';
import { newId } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';

const REMEMBERED = 100_000;

/** Returns the ids of an organization's domains and reporters by name, creating missing ones. */
export interface Dimensions {
  domainIds(orgId: string, names: Iterable<string>): Promise<Map<string, string>>;
  reporterIds(orgId: string, counted: Iterable<CountedReporter>): Promise<Map<string, string>>;
}

/**
 * Ids never change, so they are cached. New names are committed on their own, before the reports that need them. A new
 * domain is only a name until a report about it is stored: see `monitorReported`.
 */
export function openDimensions(database: Database): Dimensions {
  const domains = new Map<string, string>();
  const reporters = new Map<string, string>();
  return {
    domainIds: (orgId, names) => idsOf(domains, orgId, names, (missing) => makeDomains(database, orgId, missing)),
    reporterIds: (orgId, counted) => {
      const stated = new Map([...counted].map(({ name, statedName }) => [name, statedName]));
      return idsOf(reporters, orgId, stated.keys(), (missing) => makeReporters(database.db, orgId, missing, stated));
    },
  };
}

async function idsOf(
  known: Map<string, string>,
  orgId: string,
  names: Iterable<string>,
  make: (missing: string[]) => Promise<{ id: string; name: string }[]>,
): Promise<Map<string, string>> {
  const wanted = new Set(names);
  const missing = [...wanted].filter((name) => !known.has(`${orgId} ${name}`)).toSorted();
  if (known.size + missing.length > REMEMBERED) known.clear();
  const made = missing.length > 0 ? await make(known.size === 0 ? [...wanted].toSorted() : missing) : [];
  for (const { id, name } of made) known.set(`${orgId} ${name}`, id);
  return new Map([...wanted].map((name) => [name, known.get(`${orgId} ${name}`)!]));
}

async function makeDomains(
  database: Database,
  orgId: string,
  names: string[],
): Promise<{ id: string; name: string }[]> {
  await transact(database, ({ db }) => insertNames(db, orgId, names)); // again where the commit was not answered
  return await database.db
    .selectFrom('domain')
    .select(['id', 'name'])
    .where('org_id', '=', orgId)
    .where('name', '=', sql<string>`any(${names})`)
    .execute();
}

async function insertNames(db: Db, orgId: string, names: string[]): Promise<void> {
  await db
    .insertInto('domain')
    .values(
      names.map((name) => ({
        org_id: orgId,
        id: newId(),
        name,
        source: 'auto' as const,
        monitored: false,
        left_at: sql<Date>`now()`,
      })),
    )
    .onConflict((conflict) => conflict.columns(['org_id', 'name']).doNothing())
    .execute();
}

async function makeReporters(
  db: Db,
  orgId: string,
  names: string[],
  stated: ReadonlyMap<string, string | null>,
): Promise<{ id: string; name: string }[]> {
  await db
    .insertInto('reporter')
    .values(names.map((name) => ({ org_id: orgId, id: newId(), name, stated_name: stated.get(name) ?? null })))
    .onConflict((conflict) =>
      conflict
        .columns(['org_id', 'name'])
        .doUpdateSet({ stated_name: sql`excluded.stated_name` }) // a row of a version that knew no such names
        .where(sql<boolean>`reporter.stated_name is distinct from excluded.stated_name`),
    )
    .execute();
  return await db
    .selectFrom('reporter')
    .select(['id', 'name'])
    .where('org_id', '=', orgId)
    .where('name', '=', sql<string>`any(${names})`)
    .execute();
}
