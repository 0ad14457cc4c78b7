import { sql } from 'kysely';
import { API_ROLE, MAY_TAKE } from './api-role.ts';
import type { Db } from './database.ts';

/** The server behind the ledger. */
export interface DatabaseSettings {
  /** 180004 for 18.4. */
  version: number;
  /** How far its clock is from ours, in seconds. */
  clockSkew: number;
  encoding: string;
  user: string;
  /** The user may take the role behind which row-level security holds. */
  apiRole: boolean;
}

/** How long the oldest unfinished work has waited, in seconds; null without any. */
export interface WaitingWork {
  delivery: number | null;
  announcement: number | null;
  rollup: number | null;
  quarantined: number;
  suspendedZones: number;
}

export async function inspectDatabase(db: Db): Promise<DatabaseSettings> {
  const before = Date.now();
  const { rows } = await sql<{ version: string; now: Date; encoding: string; user: string; apiRole: boolean }>`
    select current_setting('server_version_num') as version, clock_timestamp() as now,
      current_setting('server_encoding') as encoding, current_user as user,
      exists (select from pg_roles where rolname = ${API_ROLE} and pg_has_role(oid, ${sql.raw(MAY_TAKE)})) as "apiRole"`.execute(
    db,
  );
  const { version, now, ...rest } = rows[0]!;
  const middle = (before + Date.now()) / 2;
  return { version: Number(version), clockSkew: (now.getTime() - middle) / 1_000, ...rest };
}

export async function inspectWork(db: Db): Promise<WaitingWork> {
  const { rows } = await sql<WaitingWork>`
    select
      (select extract(epoch from now() - min(received_at))::float8 from raw_message where state in ('received', 'processing') and held_until is null) as delivery,
      (select extract(epoch from now() - min(created_at))::float8 from outbox) as announcement,
      (select extract(epoch from now() - min(since))::float8 from rollup_dirty) as rollup,
      (select count(*) from raw_message where state = 'quarantined') as quarantined,
      (select count(*) from blocklist_zone where health ->> 'state' = 'suspended') as "suspendedZones"`.execute(db);
  return rows[0]!;
}
