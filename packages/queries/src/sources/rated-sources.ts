import type { AbuseStatusName, Db } from '@dmarc-ledger/schema';
import { type RawBuilder, sql, type SqlBool } from 'kysely';
import { all, type Condition } from '../lists/sorted-list.ts';

/** Sources are collected up to this number; beyond it, each source of a sorted walk is tested. */
const FEW_SOURCES = 3_000;

/** Sources by their standing: their number, and the condition that selects them in a list. */
export interface StandingFilter {
  sources: number;
  condition: Condition;
  /** True if the sources were collected, because they are few. */
  gathered: boolean;
}

export interface StandingQuestion {
  reputation?: AbuseStatusName | undefined;
  /** Undefined: any service, or none. */
  services?: readonly string[] | undefined;
}

/** Selects sources of a reputation, of services, or of both. `ofDomain`: the list contains one domain's sources. */
export async function findByStanding(
  db: Db,
  orgId: string,
  { reputation, services }: StandingQuestion,
  ofDomain: boolean,
): Promise<StandingFilter | undefined> {
  const asked: Condition[] = [];
  if (reputation !== undefined) asked.push(sql`abuse_status = ${reputation}`);
  if (services !== undefined) asked.push(isOf(services));
  if (asked.length === 0) return undefined;
  const sources = services === undefined ? await countRated(db, orgId, reputation!) : await count(db, orgId, asked);
  const gathered = sources <= FEW_SOURCES;
  // the rollup of one domain's sources has no standing columns
  return { sources, condition: gathered || ofDomain ? among(orgId, asked) : all(asked), gathered };
}

async function countRated(db: Db, orgId: string, status: AbuseStatusName): Promise<number> {
  const held = await db
    .selectFrom('source_standing_count')
    .select('sources')
    .where('org_id', '=', orgId)
    .where('abuse_status', '=', status)
    .executeTakeFirst();
  return held?.sources ?? 0;
}

async function count(db: Db, orgId: string, asked: readonly Condition[]): Promise<number> {
  const { rows } = await sql<{ sources: number }>`
    select count(*) as sources from source_standing where org_id = ${orgId} and ${all(asked)}`.execute(db);
  return rows[0]!.sources;
}

/** True if a source belongs to one of these services. */
export function ofServices(orgId: string, services: readonly string[], ofDomain: boolean): Condition {
  return ofDomain ? among(orgId, [isOf(services)]) : isOf(services);
}

function isOf(services: readonly string[]): RawBuilder<SqlBool> {
  return sql`service_slug = any(${services}::text[])`;
}

function among(orgId: string, asked: readonly Condition[]): Condition {
  return sql`list.source_ip in (select source_ip from source_standing where org_id = ${orgId} and ${all(asked)})`;
}
