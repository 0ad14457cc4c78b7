import type { Db } from '@dmarc-ledger/schema';
import { type RawBuilder, sql } from 'kysely';

/** What a search of sources matches: a pattern of addresses, domains in the From header, services. */
export interface Named {
  address: string | undefined;
  domainIds: string[];
  services: readonly string[];
}

/** Returns the addresses; undefined if they exceed the limit. */
export async function gatherNamed(db: Db, orgId: string, named: Named, most: number): Promise<string[] | undefined> {
  const each = selectsOf(orgId, named).map((select) => sql`(${select} limit ${most + 1})`);
  const { rows } = await sql<{ source_ip: string }>`${sql.join(each, sql` union `)}`.execute(db);
  return rows.length > most ? undefined : rows.map(({ source_ip }) => source_ip);
}

/** Counts them by the indexes of the matched names. */
export async function countNamed(db: Db, orgId: string, named: Named): Promise<number> {
  const all = sql.join(selectsOf(orgId, named), sql` union `);
  const { rows } = await sql<{ sources: number }>`select count(*) as sources from (${all}) as found`.execute(db);
  return rows[0]!.sources;
}

/** Counts addresses that contain the pattern, in canonical form or as reported. */
export async function countAddresses(db: Db, orgId: string, pattern: string): Promise<number> {
  const { rows } = await sql<{ sources: number }>`
    select (select count(*) from own_source_address where org_id = ${orgId} and host(source_ip) ilike ${pattern})
      + (select count(*) from own_source_text where org_id = ${orgId} and source_text is not null
        and source_text ilike ${pattern} and not host(source_ip) ilike ${pattern}) as sources`.execute(db);
  return rows[0]!.sources;
}

function selectsOf(orgId: string, { address, domainIds, services }: Named): RawBuilder<unknown>[] {
  const byAddress =
    address === undefined
      ? []
      : [
          sql`select source_ip from own_source_address where org_id = ${orgId} and host(source_ip) ilike ${address}`,
          sql`select source_ip from own_source_text where org_id = ${orgId} and source_text is not null
            and source_text ilike ${address}`,
        ];
  const byService =
    services.length === 0
      ? []
      : [
          sql`select source_ip from source_standing where org_id = ${orgId}
            and service_slug = any(${services}::text[])`,
        ];
  return [
    ...byAddress,
    ...byService,
    // an address may send as several of them
    sql`select distinct source_ip from source_domain where org_id = ${orgId} and domain_id = any(${domainIds}::uuid[])`,
  ];
}
