import type { ReportedDomains } from '@dmarc-ledger/scoring';
import type { Session } from '@dmarc-ledger/schema';
import type { Day } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';

/**
 * Returns the monitored domain that each of these names belongs to: the name itself, or the nearest above. Needs at
 * least one name.
 */
export async function findOwners({ db }: Session, orgId: string, names: readonly string[]): Promise<ReportedDomains> {
  const asked = JSON.stringify(names.map((name) => ({ name, above: withParents(name) })));
  const { rows } = await sql<{ today: Day; name: string; domain: string | null }>`
    select (ledger_now() at time zone 'utc')::date::text as today, t.name, d.name as domain
    from json_to_recordset(${asked}::json) as t (name text, above text[])
      left join lateral (
        select name from domain where org_id = ${orgId} and monitored and name = any(t.above)
        order by length(name) desc limit 1) d on true`.execute(db);
  const [first] = rows;
  if (!first) throw new Error('No name was asked about.');
  const owners = rows.flatMap(({ name, domain }): [string, string][] => (domain === null ? [] : [[name, domain]]));
  return { today: first.today, owners: new Map(owners) };
}

/** The name and its parents down to two labels. */
function withParents(name: string): string[] {
  const labels = name.split('.');
  return labels.slice(0, -1).map((_, i) => labels.slice(i).join('.'));
}
