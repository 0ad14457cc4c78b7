import type { Db, Session } from '@dmarc-ledger/schema';
import type { Holding } from '@dmarc-ledger/scoring';
import { newId, pathOf } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';
import { moreLikeThis } from './conditions.ts';

/**
 * The most events of a type and severity raised within an hour; further conditions are merged into the last one.
 * (rules, events/burst-guard)
 */
export const BURST = 25;

/** The message of an event `e` without what the burst guard added; earlier versions wrote ` and 12 more`. */
const ownMessage = sql<string>`case when e.merged > 0
  then regexp_replace(e.message, '( and [0-9]+ more| [0-9,]+ more like this\\.)$', '') else e.message end`;

/** Inserts one event for each condition that was just raised, as far as the burst guard allows. Returns how many. */
export async function insertEvents({ db }: Session, orgId: string, conditions: readonly Holding[]): Promise<number> {
  if (conditions.length === 0) return 0;
  const ordered = conditions.toSorted((a, b) => (a.key < b.key ? -1 : 1));
  await holdTypes(db, orgId, [...new Set(ordered.map(({ type }) => type))].toSorted());
  // ids ascend with the keys: of one type and domain, the newest day stands first in the feed
  const events = ordered.map(({ place, ...condition }) => ({ ...condition, id: newId(), link: pathOf(place) }));
  await sql`
    update event set resolved_at = ledger_now()
    where org_id = ${orgId} and dedup_key = any(${events.map(({ key }) => key)}::text[])
      and resolved_at is null`.execute(db);
  // the event that reports each condition: its own, or the last one allowed
  await sql`
    with wanted as (
      select *, row_number() over (partition by type, severity order by key collate "C") as place
      from json_to_recordset(${JSON.stringify(events)}::json)
        as w (id uuid, key text, type text, domain text, severity text, title text, message text, link text)
    ), recent as (
      select t.type, t.severity, count(e.id) as events,
        (array_agg(e.id order by e.merged > 0 desc, e.created_at desc, e.id desc))[1] as last
      from (select distinct type, severity from wanted) t
        left join event e on e.org_id = ${orgId} and e.type = t.type and e.severity = t.severity
          and e.created_at > ledger_now() - interval '1 hour'
      group by t.type, t.severity
    ), placed as (
      select w.*, w.place + r.events <= ${BURST} as has_room, r.last from wanted w join recent r using (type, severity)
    ), lasts as (
      select type, severity, coalesce((array_agg(id order by place desc) filter (where has_room))[1],
        max(last::text)::uuid) as last, count(*) filter (where not has_room) as more
      from placed group by type, severity
    ), inserted as (
      insert into event (org_id, id, type, severity, domain, dedup_key, title, message, link, created_at, merged)
      select ${orgId}, p.id, p.type, p.severity, p.domain, p.key, p.title,
        p.message || case when l.last = p.id then ${moreLikeThis(sql`l.more`)} else '' end,
        p.link, ledger_now(), case when l.last = p.id then l.more else 0 end
      from placed p join lasts l using (type, severity) where p.has_room order by p.place
    ), merged as (
      update event e set merged = e.merged + l.more,
        message = ${ownMessage} || ${moreLikeThis(sql`(e.merged + l.more)`)}
      from lasts l where e.org_id = ${orgId} and e.id = l.last and l.more > 0
    )
    update event_condition c set event_id = case when p.has_room then p.id else l.last end
    from placed p join lasts l using (type, severity) where c.org_id = ${orgId} and c.key = p.key`.execute(db);
  return events.length;
}

/** Transactions that raise events of the same type run one after another, so that each counts the others' events. */
async function holdTypes(db: Db, orgId: string, types: readonly string[]): Promise<void> {
  await sql`
    insert into event_burst (org_id, type) select ${orgId}, type from unnest(${types}::text[]) as type order by type
    on conflict (org_id, type) do nothing`.execute(db);
  await sql`
    select from event_burst where org_id = ${orgId} and type = any(${types}::text[]) order by type for update`.execute(
    db,
  );
}
