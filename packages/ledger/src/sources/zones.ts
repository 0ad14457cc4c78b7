import type { Db } from '@dmarc-ledger/schema';
import type { IpFamily, ZoneHealth } from '@dmarc-ledger/sources';
import { sql } from 'kysely';

export interface ZoneKey {
  list: string;
  family: IpFamily;
}

/** Claims the zones whose test is due, so that only one process tests each; a new zone is due at once. */
export async function claimZoneTests(db: Db, zones: readonly ZoneKey[], seconds: number): Promise<Set<string>> {
  if (zones.length === 0) return new Set();
  const { rows } = await sql<ZoneKey>`
    with watched as (
      select * from json_to_recordset(${JSON.stringify(zones)}::json) as z (list text, family text)
    ), fresh as (
      insert into blocklist_zone (list, family, health, next_test_at)
      select list, family, jsonb_build_object('state', 'untested', 'since', now(), 'randomListings', 0, 'refusals', 0,
        'nextTestAt', now()), now() + make_interval(secs => ${seconds}) from watched order by list, family
      on conflict do nothing returning list, family
    ), due as (
      select z.list, z.family from blocklist_zone z join watched using (list, family)
      where next_test_at <= now() order by list, family for update of z skip locked
    ), taken as (
      update blocklist_zone z set next_test_at = now() + make_interval(secs => ${seconds}) from due
      where z.list = due.list and z.family = due.family returning z.list, z.family
    )
    select * from fresh union all select * from taken`.execute(db);
  return new Set(rows.map(({ list, family }) => `${list}/${family}`));
}

export async function findZones(db: Db): Promise<(ZoneKey & { health: ZoneHealth })[]> {
  const rows = await db.selectFrom('blocklist_zone').select(['list', 'family', 'health']).execute();
  return rows.map(({ health, ...zone }) => ({
    ...zone,
    health: { ...health, since: new Date(health.since), nextTestAt: new Date(health.nextTestAt) },
  }));
}

export async function saveZone(db: Db, list: string, family: IpFamily, health: ZoneHealth): Promise<void> {
  await db
    .updateTable('blocklist_zone')
    .set({ health: JSON.stringify(health), next_test_at: health.nextTestAt })
    .where('list', '=', list)
    .where('family', '=', family)
    .execute();
}
