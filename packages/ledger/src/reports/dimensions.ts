import { type Database, type Db, transact } from '@dmarc-ledger/schema';
import { newId } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';

const REMEMBERED = 100_000;
/**
 * The most domains of an organization that are added without a request: anybody can mail reports about any name.
 * Figures are kept for all names.
 */
const MAX_AUTO_DOMAINS = 500;

/** Returns the ids of an organization's domains and reporters by name, creating missing ones. */
export interface Dimensions {
  domainIds(orgId: string, names: Iterable<string>): Promise<Map<string, string>>;
  reporterIds(orgId: string, names: Iterable<string>): Promise<Map<string, string>>;
}

/**
 * Ids never change, so they are cached. New names are committed in their own transaction before the reports that need
 * them: the domain of a report is monitored from then on, with source `auto` (`both` if a user had added it).
 */
export function openDimensions(database: Database): Dimensions {
  const domains = new Map<string, string>();
  const reporters = new Map<string, string>();
  return {
    domainIds: (orgId, names) => idsOf(domains, orgId, names, (missing) => makeDomains(database, orgId, missing)),
    reporterIds: (orgId, names) =>
      idsOf(reporters, orgId, names, (missing) => makeReporters(database.db, orgId, missing)),
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
  const known = await findDomains(database.db, orgId, names);
  const isEveryKnown = known.length === names.length;
  if (isEveryKnown && known.every(({ source }) => source !== 'manual')) return known;
  await transact(database, async ({ db }) => {
    // concurrent transactions run one after another here, so that each counts the domains that the others added
    if (!isEveryKnown) await sql`select from organization where id = ${orgId} for no key update`.execute(db);
    await insertDomains(db, orgId, names);
  });
  return await findDomains(database.db, orgId, names);
}

async function findDomains(db: Db, orgId: string, names: string[]) {
  return await db
    .selectFrom('domain')
    .select(['id', 'name', 'source'])
    .where('org_id', '=', orgId)
    .where('name', '=', sql<string>`any(${names})`)
    .execute();
}

async function insertDomains(db: Db, orgId: string, names: string[]): Promise<void> {
  const made = JSON.stringify(names.map((name) => ({ id: newId(), name })));
  await sql`
    with wanted as (select * from json_to_recordset(${made}::json) as n (id uuid, name text)),
    held as (
      select count(*) as domains from (
        select from domain where org_id = ${orgId} and source = 'auto' and monitored limit ${MAX_AUTO_DOMAINS}) d
    ), known as (
      select w.name from wanted w join domain d on d.org_id = ${orgId} and d.name = w.name
    ), numbered as (
      select id, name, row_number() over (partition by name in (select name from known)
        order by name collate "C") as place
      from wanted
    )
    insert into domain (org_id, id, name, source, monitored)
    select ${orgId}, id, name, 'auto', (select domains from held) + place <= ${MAX_AUTO_DOMAINS} from numbered
      order by name
    on conflict (org_id, name) do update set source = 'both' where domain.source = 'manual'`.execute(db);
}

async function makeReporters(db: Db, orgId: string, names: string[]): Promise<{ id: string; name: string }[]> {
  await db
    .insertInto('reporter')
    .values(names.map((name) => ({ org_id: orgId, id: newId(), name })))
    .onConflict((conflict) => conflict.columns(['org_id', 'name']).doNothing())
    .execute();
  return await db
    .selectFrom('reporter')
    .select(['id', 'name'])
    .where('org_id', '=', orgId)
    .where('name', '=', sql<string>`any(${names})`)
    .execute();
}
