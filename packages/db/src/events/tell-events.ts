import { alertTypes, newId } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';
import type { Session } from '../transaction.ts';

export type ReportEventType = 'tls_failures' | 'forensic_report_received';

/** A condition that a report has told of. */
export interface ToldCondition {
  type: ReportEventType;
  /** The name that it is about: a monitored one, or one below. */
  name: string;
  /** Tells it from other conditions of the domain. */
  part: string;
}

/** For so long after an event the same condition raises no other. (domain-rules, 5.2) */
const QUIET: { readonly [type in ReportEventType]: string } = {
  tls_failures: '7 days',
  forensic_report_received: '1 day', // its day is part of what tells it apart
};

/**
 * Raises an event for each of these conditions that has raised none of late; one that was left open then is over. The
 * health of the domains is computed again in a little while.
 */
export async function tellEvents({ db }: Session, orgId: string, conditions: readonly ToldCondition[]): Promise<void> {
  if (conditions.length === 0) return;
  const told = JSON.stringify(
    conditions.map(({ type, name, part }) => ({ type, part, names: withParents(name), quiet: QUIET[type] })),
  );
  const { rows } = await sql<{ type: ReportEventType; domain: string; key: string }>`
    with told as (
      select * from json_to_recordset(${told}::json) as t (type text, part text, names text[], quiet interval)
    ), owned as (
      select distinct t.type, t.quiet, d.name as domain, t.type || '/' || d.name || '/' || t.part as key
      from told t join lateral (
        select name from domain where org_id = ${orgId} and monitored and name = any(t.names)
        order by length(name) desc limit 1) d on true
    )
    select type, domain, key from owned o where not exists (
      select from event e where e.org_id = ${orgId} and e.dedup_key = o.key and e.created_at > now() - o.quiet)
    order by key`.execute(db);
  if (rows.length === 0) return;
  const keys = rows.map(({ key }) => key);
  await db
    .updateTable('event')
    .set({ resolved_at: sql<Date>`now()` })
    .where('org_id', '=', orgId)
    .where('dedup_key', 'in', keys)
    .where('resolved_at', 'is', null)
    .where('created_at', '<', sql<Date>`now() - interval '1 day'`)
    .execute();
  await db
    .insertInto('event')
    .values(
      rows.map(({ type, domain, key }) => ({ org_id: orgId, id: newId(), dedup_key: key, ...eventOf(type, domain) })),
    )
    .onConflict((conflict) => conflict.columns(['org_id', 'dedup_key']).where('resolved_at', 'is', null).doNothing())
    .execute();
  await sql`
    with due as (
      select id from domain where org_id = ${orgId} and name = any(${rows.map(({ domain }) => domain)})
        and health_due_at > now() + interval '30 seconds' order by id for update skip locked
    )
    update domain d set health_due_at = now() + interval '30 seconds' from due
    where d.org_id = ${orgId} and d.id = due.id`.execute(db);
}

/** In the words of domain-rules, 5.3. */
function eventOf(type: ReportEventType, domain: string) {
  const { label, severity, link } = alertTypes.find(({ code }) => code === type)!; // every type is in the table
  const title = `${label} for ${domain}`;
  return { type, severity, domain, title, message: `${title}.`, link: link.replace('{domain}', domain) };
}

/** The name and all above it but the last label. */
function withParents(name: string): string[] {
  const labels = name.split('.');
  return labels.slice(0, -1).map((_, i) => labels.slice(i).join('.'));
}
