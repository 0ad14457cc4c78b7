import { senderKey } from '@dmarc-ledger/facts';
import type { Db } from '@dmarc-ledger/schema';
import { newId, type SenderDecision } from '@dmarc-ledger/vocabulary';
import { type RawBuilder, sql } from 'kysely';
import { lockName } from '../access/lock-name.ts';

/** Which sender of which domain. */
export interface SenderOfDomain {
  /** An exact, normalized name. */
  domain: string;
  /** The slug of a service, or a network such as `192.0.2.0/24`. */
  sender: string;
}

export interface NewDecision {
  decision: SenderDecision;
  /** Who answers for the sender. */
  owner: string;
  note: string;
}

/** Only failing mail makes tasks, so only its sources are judged again, and those that are known to be dangerous. */
const FEWEST_FAILING = 20;

const addressesOf = (orgId: string): RawBuilder<unknown> => sql`
  source_domain d left join source_total t on t.org_id = ${orgId} and t.source_ip = d.source_ip`;
const key = senderKey(sql`t.service_slug`, sql`d.source_ip`);

/**
 * Stores a decision about a sender, with the change in its history, and schedules the event rules for its sources; the
 * same decision again changes nothing. Returns false when the domain has neither mail of the sender nor a decision
 * about it. (rules, sender-inventory/decisions)
 */
export async function decideSender(
  db: Db,
  orgId: string,
  { domain, sender }: SenderOfDomain,
  { decision, owner, note, by }: NewDecision & { by: string },
): Promise<boolean> {
  return await inTurn(db, orgId, { domain, sender }, async (trx, changedAt) => {
    const { rows } = await sql`
    with known as (
      select n.id from domain n where n.org_id = ${orgId} and n.name = ${domain} and (
        exists (select from sender_decision s where s.org_id = ${orgId} and s.domain_id = n.id and s.sender = ${sender})
        or exists (select from ${addressesOf(orgId)} where d.org_id = ${orgId} and d.domain_id = n.id
          and ${key} = ${sender}))
    ), touched as (
      insert into sender_decision as s (org_id, domain_id, sender, decision, owner, note, decided_by, decided_at)
      select ${orgId}, id, ${sender}, ${decision}, ${owner}, ${note}, ${by}, ${changedAt} from known
      on conflict (org_id, domain_id, sender) do update set decision = excluded.decision, owner = excluded.owner,
        note = excluded.note, decided_by = excluded.decided_by, decided_at = excluded.decided_at
      where (s.decision, s.owner, s.note) is distinct from (excluded.decision, excluded.owner, excluded.note)
      returning domain_id, decided_at as changed_at
    ), ${followUp(orgId, sender, { decision, owner, note, by })}
    select from known`.execute(trx);
    return rows.length > 0;
  });
}

/** Withdraws a decision; its history stays. Returns false when there was none. */
export async function withdrawDecision(
  db: Db,
  orgId: string,
  { domain, sender }: SenderOfDomain,
  by: string,
): Promise<boolean> {
  return await inTurn(db, orgId, { domain, sender }, async (trx, changedAt) => {
    const { rows } = await sql`
    with touched as (
      delete from sender_decision s using domain n
      where n.org_id = ${orgId} and n.name = ${domain} and s.org_id = ${orgId} and s.domain_id = n.id
        and s.sender = ${sender}
      returning s.domain_id, ${changedAt} as changed_at
    ), ${followUp(orgId, sender, { decision: null, owner: '', note: '', by })}
    select from touched`.execute(trx);
    return rows.length > 0;
  });
}

/**
 * Runs changes of one decision one after another, each with a time after that of the change before: the history has the
 * order in which they took effect, also when a clock stands still or goes back.
 */
async function inTurn<Result>(
  db: Db,
  orgId: string,
  { domain, sender }: SenderOfDomain,
  change: (trx: Db, changedAt: RawBuilder<Date>) => Promise<Result>,
): Promise<Result> {
  const changedAt = sql<Date>`greatest(clock_timestamp(), (
    select max(h.changed_at) + interval '1 microsecond' from sender_decision_change h join domain g
      on g.org_id = h.org_id and g.id = h.domain_id
    where h.org_id = ${orgId} and g.name = ${domain} and h.sender = ${sender}))`;
  // not `transact`: that takes a pool, and the pages call this on a connection with their role
  return await db.transaction().execute(async (trx) => {
    const name = JSON.stringify(['decision', orgId, domain, sender]);
    await lockName(trx, name);
    return await change(trx, changedAt);
  });
}

/** What follows from a changed decision, as further parts of its statement. */
function followUp(
  orgId: string,
  sender: string,
  { decision, owner, note, by }: { decision: SenderDecision | null; owner: string; note: string; by: string },
): RawBuilder<unknown> {
  return sql`noted as (
      insert into sender_decision_change (org_id, domain_id, sender, id, decision, owner, note, changed_by, changed_at)
      select ${orgId}, domain_id, ${sender}, ${newId()}, ${decision}, ${owner}, ${note}, ${by}, changed_at from touched
    ), due_sources as (
      insert into event_source as e (org_id, domain_id, source_ip, due_at, since)
      select d.org_id, d.domain_id, d.source_ip, ledger_now(), ledger_now()
      from touched c join ${addressesOf(orgId)} on d.org_id = ${orgId} and d.domain_id = c.domain_id
        join domain n on n.org_id = ${orgId} and n.id = c.domain_id
      where ${key} = ${sender} and (d.messages - d.compliant >= ${FEWEST_FAILING}::integer or exists (
        select from event x where x.org_id = ${orgId} and x.resolved_at is null
          and x.dedup_key = any(array['malicious_source/' || n.name || '/' || host(d.source_ip),
            'source_blocklisted/' || n.name || '/' || host(d.source_ip) || '/critical',
            'source_blocklisted/' || n.name || '/' || host(d.source_ip) || '/warning'])))
      order by d.source_ip
      on conflict (org_id, domain_id, source_ip) do update set due_at = least(e.due_at, excluded.due_at)
    ), due as (
      insert into event_watch as w (org_id, domain_id, due_at) select ${orgId}, domain_id, ledger_now() from touched
      on conflict (org_id, domain_id) do update set due_at = least(w.due_at, excluded.due_at)
    )`;
}
