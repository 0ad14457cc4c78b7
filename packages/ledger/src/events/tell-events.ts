import type { Session } from '@dmarc-ledger/schema';
import { holding } from '@dmarc-ledger/scoring';
import { addDays, type Day } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';
import { raiseEvents } from './raise-events.ts';
import type { ToldCondition } from './told-condition.ts';

/** Reports of days longer ago tell of what is over. */
const LATEST_DAYS = 3;

/** Raises events for what reports that were just stored tell of monitored domains. */
export async function tellEvents(session: Session, orgId: string, told: readonly ToldCondition[]): Promise<void> {
  if (told.length === 0) return;
  const { today, owners } = await findOwners(session, orgId, [...new Set(told.map(({ name }) => name))]);
  const conditions = told.flatMap(({ type, name, parts, day, message }) => {
    const domain = owners.get(name);
    if (domain === undefined || (day !== null && day < addDays(today, -LATEST_DAYS))) return [];
    const added = parts === 'today' ? [today] : parts;
    return [holding(type, { domain, parts: [domain, ...added], ...(message !== undefined && { message }) })];
  });
  await raiseEvents(session, orgId, conditions);
}

/** The monitored domain that each name belongs to: itself, or the nearest above. */
async function findOwners(
  { db }: Session,
  orgId: string,
  names: readonly string[],
): Promise<{ today: Day; owners: Map<string, string> }> {
  const told = JSON.stringify(names.map((name) => ({ name, above: withParents(name) })));
  const { rows } = await sql<{ today: Day; name: string; domain: string | null }>`
    select (ledger_now() at time zone 'utc')::date::text as today, t.name, d.name as domain
    from json_to_recordset(${told}::json) as t (name text, above text[])
      left join lateral (
        select name from domain where org_id = ${orgId} and monitored and name = any(t.above)
        order by length(name) desc limit 1) d on true`.execute(db);
  const owners = rows.flatMap(({ name, domain }): [string, string][] => (domain === null ? [] : [[name, domain]]));
  return { today: rows[0]!.today, owners: new Map(owners) };
}

/** The name and all above it but the last label. */
function withParents(name: string): string[] {
  const labels = name.split('.');
  return labels.slice(0, -1).map((_, i) => labels.slice(i).join('.'));
}
