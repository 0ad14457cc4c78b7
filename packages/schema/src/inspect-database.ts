import { sql } from 'kysely';
import type { Db } from './database.ts';
import { MAY_TAKE } from './prepare-roles.ts';
import { apiRole, webRole } from './roles.ts';

/** The server behind the ledger. */
export interface DatabaseSettings {
  /** 180004 for 18.4. */
  version: number;
  /** The difference between its clock and ours, in seconds. */
  clockSkew: number;
  encoding: string;
  user: string;
  /** The roles that row-level security applies to, of the API and of the pages, that the user may not switch to. */
  missingRoles: string[];
}

export async function inspectDatabase(db: Db): Promise<DatabaseSettings> {
  const before = Date.now();
  const { rows } = await sql<{ version: string; now: Date; encoding: string; user: string; missingRoles: string[] }>`
    select current_setting('server_version_num') as version, clock_timestamp() as now,
      current_setting('server_encoding') as encoding, current_user as user,
      array(select name from unnest(${[apiRole.name, webRole.name]}::text[]) as name
        where not exists (select from pg_roles where rolname = name
          and pg_has_role(oid, ${sql.raw(MAY_TAKE)}))) as "missingRoles"`.execute(db);
  const { version, now, ...rest } = rows[0]!;
  const middle = (before + Date.now()) / 2;
  return { version: Number(version), clockSkew: (now.getTime() - middle) / 1_000, ...rest };
}
