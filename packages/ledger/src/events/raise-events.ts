import type { Session } from '@dmarc-ledger/schema';
import { decide, type Decision, gravest, type Judgement } from '@dmarc-ledger/scoring';
import { sql } from 'kysely';
import { makeNamedHealthDue } from '../due-work/health-due.ts';
import { endConditions, findKnown, keepRaised, type Look, reopen, worsen } from './conditions.ts';
import { insertEvents } from './insert-events.ts';

export interface Raised {
  raised: number;
  resolved: number;
}

/**
 * Updates an organization's events from judgements: raises, reopens and resolves each condition by its rule, in the
 * session's transaction. Concurrent judgements of a condition raise one event; judging again changes nothing.
 * Acknowledgement has no effect here. (rules, events/conditions-and-events)
 * @param keptBy the watch that decides when these conditions are over
 */
export async function raiseEvents(
  session: Session,
  orgId: string,
  judgements: readonly Judgement[],
  keptBy: string | null = null,
): Promise<Raised> {
  const judged = gravest(judgements);
  const look = await findKnown(
    session,
    orgId,
    judged.map(({ key }) => key),
    false,
  );
  const open = judged.filter((judgement) => isToDo(judgement, look));
  if (open.length === 0) return { raised: 0, resolved: 0 };
  const keys = open.map(({ key }) => key);
  const held = await findKnown(session, orgId, keys, true);
  const ended = open.filter((judgement) => isEnded(judgement, held)).map(({ key }) => key);
  const holding = open.filter((judgement) => judgement.state === 'holds');
  const of = (decision: Decision) =>
    holding.filter((one) => decide(one, held.known.get(one.key), held.now) === decision);
  const resolved = await endConditions(session, orgId, ended);
  // what the burst guard had merged into another event, and comes back or gets graver, has an event of its own now
  const again = await reopen(session, orgId, of('reopen'));
  const graver = await worsen(session, orgId, of('worsen'));
  const fresh = await keepRaised(session, orgId, of('raise'), { held, keptBy });
  const raised = await insertEvents(session, orgId, [...again, ...graver, ...fresh]);
  const domains = [...holding.map(({ domain }) => domain), ...resolved.map(({ domain }) => domain)];
  await makeNamedHealthDue(
    session,
    orgId,
    [...new Set(domains)].filter((domain) => domain !== ''),
  );
  return { raised, resolved: resolved.length };
}

/** Ends the conditions of a domain that have reached their end date. */
export async function endInTime(session: Session, orgId: string, domain: string): Promise<void> {
  const { rows } = await sql<{ key: string }>`
    select key from event_condition where org_id = ${orgId} and domain = ${domain} and holds and ends_at <= ledger_now()
    order by key for update`.execute(session.db);
  const ended = await endConditions(
    session,
    orgId,
    rows.map(({ key }) => key),
  );
  if (ended.length > 0 && domain !== '') await makeNamedHealthDue(session, orgId, [domain]);
}

function isToDo(judgement: Judgement, look: Look): boolean {
  if (judgement.state === 'over') return isEnded(judgement, look);
  return decide(judgement, look.known.get(judgement.key), look.now) !== 'none';
}

function isEnded(judgement: Judgement, { known }: Look): boolean {
  const before = known.get(judgement.key);
  if (judgement.state !== 'over' || !before?.holds) return false;
  return judgement.eventId === undefined || judgement.eventId === before.eventId;
}
