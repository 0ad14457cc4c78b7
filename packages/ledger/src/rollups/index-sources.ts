import { type Database, type Db, transact, type Statement } from '@dmarc-ledger/schema';

/** With so many sources, a list of them is no longer sorted for each request, which takes 25 milliseconds by then. */
const LONG = 50_000;

const LOCK = `hashtextextended('source indexes ' || $1::uuid, 0)`;

/** SQL: whether the sources of the organization $1 are in the indexes that long lists are read by. */
export const ARE_INDEXED = `coalesce((select sources_indexed from org_total where org_id = $1), false)`;

/** Keeps `ARE_INDEXED` as it is until the transaction ends, which adds sources by it. */
export const keepIndexing: Statement = {
  name: 'keep-indexing',
  text: `select pg_advisory_xact_lock_shared(${LOCK})`,
};

/** Returns a row if no other transaction adds sources of the organization now: none does until this one ends. */
const indexAlone: Statement = {
  name: 'index-alone',
  text: `select where pg_try_advisory_xact_lock(${LOCK})`,
};

/**
 * Has the sources of an organization indexed once there are many. Once for an organization: its list stays indexed when
 * it becomes shorter. While another transaction adds sources, it does nothing: the next turn of the intake comes back
 * to it.
 */
export async function indexLongList(database: Database, orgId: string, long = LONG): Promise<void> {
  if (!(await isLongUnindexed(database.db, orgId, long))) return;
  await transact(
    database,
    async (session) => {
      if ((await session.run(indexAlone, [orgId])).length === 0) return;
      await session.query(
        `with held as (
           select source_ip, domain_id from source_domain where org_id = $1 and not indexed
           order by source_ip, domain_id for update
         )
         update source_domain t set indexed = true from held h
         where t.org_id = $1 and t.source_ip = h.source_ip and t.domain_id = h.domain_id`,
        [orgId],
      );
      await session.query(
        `with held as (
           select source_ip from source_total where org_id = $1 and not indexed order by source_ip for update
         )
         update source_total t set indexed = true from held h where t.org_id = $1 and t.source_ip = h.source_ip`,
        [orgId],
      );
      await session.query('update org_total set sources_indexed = true where org_id = $1', [orgId]);
    },
    { unlimited: true },
  );
}

async function isLongUnindexed(db: Db, orgId: string, long: number): Promise<boolean> {
  const list = db
    .selectFrom('org_total')
    .select('sources')
    .where('org_id', '=', orgId)
    .where('sources', '>=', long)
    .where('sources_indexed', '=', false);
  return (await list.executeTakeFirst()) !== undefined;
}
