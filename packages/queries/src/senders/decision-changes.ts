import type { Db } from '@dmarc-ledger/schema';
import type { SenderDecision } from '@dmarc-ledger/vocabulary';

/** One change of a decision; `decision` is null where it was withdrawn. */
export interface DecisionChange {
  domain: string;
  sender: string;
  decision: SenderDecision | null;
  owner: string;
  note: string;
  changed_by: string;
  changed_at: Date;
}

interface Question {
  domainId?: string | undefined;
  sender?: string | undefined;
  limit: number;
  offset: number;
}

/** Returns one page of the changes of decisions, newest first, and the number that match. */
export async function findDecisionChanges(
  db: Db,
  orgId: string,
  { domainId, sender, limit, offset }: Question,
): Promise<{ rows: DecisionChange[]; total: number }> {
  let matching = db.selectFrom('sender_decision_change as c').where('c.org_id', '=', orgId);
  if (domainId !== undefined) matching = matching.where('c.domain_id', '=', domainId);
  if (sender !== undefined) matching = matching.where('c.sender', '=', sender);
  const [rows, counted] = await Promise.all([
    matching
      .innerJoin('domain as d', (join) => join.onRef('d.org_id', '=', 'c.org_id').onRef('d.id', '=', 'c.domain_id'))
      .select(['d.name as domain', 'c.sender', 'c.decision', 'c.owner', 'c.note', 'c.changed_by', 'c.changed_at'])
      .orderBy('c.changed_at', 'desc')
      .orderBy('c.id', 'desc')
      .limit(limit)
      .offset(offset)
      .execute(),
    matching.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
  ]);
  return { rows, total: counted.total };
}
