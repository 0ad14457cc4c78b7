import type { MailGroup } from '@dmarc-ledger/enforcement';
import type { Db } from '@dmarc-ledger/schema';
import type { Day, SenderDecision } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';
import { senderKey } from '../senders/sender-key.ts';
import { mailFromRecords } from './mail-fates.ts';

/** A step of one domain: the mail that its policy applies to, and that it would newly affect. */
export interface StepOfDomain {
  domainId: string;
  domain: string;
  scopes: readonly MailGroup['scope'][];
  affects: readonly MailGroup['fate'][];
  /** Names below the domain that are known not to exist. */
  absent: readonly string[];
}

/** A sender of newly affected mail. */
interface StepSender {
  slug: string | null;
  messages: number;
  /** True if mail of the domain from one of these addresses has ever passed. */
  hasPassed: boolean;
  decision: SenderDecision | null;
}

/** The mail that the step applies to, and the senders of that which it would newly affect. */
export interface StepMail {
  messages: number;
  senders: StepSender[];
}

interface StepsQuestion {
  orgId: string;
  from: Day;
  to: Day;
  /** Networks that nothing was decided about, and that never passed, are left out below this share of the messages. */
  leastShare: number;
}

/**
 * Returns what one step of each of these domains affects, by the id of the domain, in one statement: domains without
 * mail of the step are missing. As `findMailFates`, it reads days without current sums from the records.
 */
export async function findStepMail(
  db: Db,
  { orgId, from, to, leastShare }: StepsQuestion,
  steps: readonly StepOfDomain[],
): Promise<Map<string, StepMail>> {
  if (steps.length === 0) return new Map();
  const asked = steps.map(({ domainId, domain, ...step }) => ({ id: domainId, name: domain, ...step }));
  const read = mailFromRecords(
    { orgId, domainId: sql`s.id`, domain: sql`s.name` },
    sql`(select x.day from stale x where x.id = s.id)`,
  );
  const { rows } = await sql<{ id: string } & StepMail>`
    with step as materialized (
      select * from json_to_recordset(${JSON.stringify(asked)}::json)
        as s (id uuid, name text, scopes text[], affects text[], absent text[])
    ), counted as materialized (
      select s.id, d.day, d.revision from step s join domain_day d on d.org_id = ${orgId} and d.domain_id = s.id
        and d.day between ${from}::date and ${to}::date and d.reports > 0
    ), stale as materialized (
      select c.id, c.day from counted c where not exists (
        select from enforcement_day e where e.org_id = ${orgId} and e.domain_id = c.id and e.day = c.day
          and e.revision = c.revision)
    ), mail as (
      select c.id, u.source, u.name, u.fate, u.messages
      from counted c join enforcement_day e on e.org_id = ${orgId} and e.domain_id = c.id and e.day = c.day
          and e.revision = c.revision
        cross join lateral unnest(e.sources, e.names, e.fates, e.messages) as u (source, name, fate, messages)
      union all
      select s.id, u.source, u.name, u.fate, u.messages
      from step s cross join lateral (${read}) u (day, source, name, fate, messages)
      where exists (select from stale x where x.id = s.id)
    ), grouped as materialized (
      select m.id, m.fate = any(s.affects) as is_affected, case when m.fate = any(s.affects) then m.source
        end as source, sum(m.messages) as messages
      from mail m join step s on s.id = m.id
      where case when m.name is null then 'domain' when m.name = any(s.absent) then 'absent' else 'subdomain' end
        = any(s.scopes)
      group by 1, 2, 3
    ), whole as (select id, sum(messages)::bigint as messages from grouped group by id),
    senders as (
      select g.id, ${senderKey(sql`t.service_slug`, sql`g.source`)} as sender, max(t.service_slug) as slug,
        sum(g.messages)::bigint as messages, coalesce(bool_or(p.compliant > 0), false) as has_passed
      from grouped g left join source_total t on t.org_id = ${orgId} and t.source_ip = g.source
        left join source_domain p on p.org_id = ${orgId} and p.source_ip = g.source and p.domain_id = g.id
      where g.is_affected and g.messages > 0
      group by 1, 2
    ), kept as (
      select x.id, json_agg(json_build_object('slug', x.slug, 'messages', x.messages, 'hasPassed', x.has_passed,
        'decision', d.decision)) as senders
      from senders x join whole w on w.id = x.id
        left join sender_decision d on d.org_id = ${orgId} and d.domain_id = x.id and d.sender = x.sender
      where x.slug is not null or x.has_passed or d.decision is not null
        or x.messages >= w.messages * ${leastShare}::float8
      group by x.id
    )
    select w.id, w.messages, coalesce(k.senders, '[]') as senders
    from whole w left join kept k on k.id = w.id`.execute(db);
  return new Map(rows.map(({ id, ...mail }) => [id, mail]));
}
