import type { Db, SenderDecisionTable } from '@dmarc-ledger/schema';
import type { SenderDecision } from '@dmarc-ledger/vocabulary';
import { type Selectable, sql } from 'kysely';
import { senderKey } from './sender-key.ts';

/** A decision as stored. */
export type StoredDecision = Omit<Selectable<SenderDecisionTable>, 'org_id'>;

/** Returns the decisions of an organization about the senders of one domain, by the key of the sender. */
export async function findSenderDecisions(
  db: Db,
  orgId: string,
  domainId: string,
): Promise<Map<string, StoredDecision>> {
  const rows = await db
    .selectFrom('sender_decision')
    .select(['domain_id', 'sender', 'decision', 'owner', 'note', 'decided_by', 'decided_at'])
    .where('org_id', '=', orgId)
    .where('domain_id', '=', domainId)
    .execute();
  return new Map(rows.map((row) => [row.sender, row]));
}

/** Returns the keys of the senders that these addresses belong to; the key follows from the service now recognised. */
export async function findSenderKeys(
  db: Db,
  orgId: string,
  addresses: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ ip: string; sender: string }>`
    select host(a.ip) as ip, ${senderKey(sql`t.service_slug`, sql`a.ip`)} as sender
    from unnest(${addresses}::inet[]) as a (ip)
      left join source_total t on t.org_id = ${orgId} and t.source_ip = a.ip`.execute(db);
  return new Map(rows.map(({ ip, sender }) => [ip, sender]));
}

/** The sender that an address belongs to, and the decision about it. */
export interface DecidedSender {
  /** The slug of a service, or a network such as `192.0.2.0/24`. */
  sender: string;
  decision: SenderDecision;
}

/** Returns the decisions that hold for these addresses in one domain; undecided addresses are missing. */
export async function findDecidedAddresses(
  db: Db,
  orgId: string,
  domainId: string,
  addresses: readonly string[],
): Promise<Map<string, DecidedSender>> {
  if (addresses.length === 0) return new Map();
  const decisions = await findSenderDecisions(db, orgId, domainId);
  if (decisions.size === 0) return new Map();
  const keys = await findSenderKeys(db, orgId, addresses);
  return new Map(
    [...keys].flatMap(([ip, sender]): [string, DecidedSender][] => {
      const decision = decisions.get(sender)?.decision;
      return decision === undefined ? [] : [[ip, { sender, decision }]];
    }),
  );
}
