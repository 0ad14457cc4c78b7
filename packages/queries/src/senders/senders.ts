import { isNetwork, sourceClassOf, relayingOf } from '@dmarc-ledger/facts';
import type { Db } from '@dmarc-ledger/schema';
import {
  evidenceAgainst,
  type MailSince,
  type NewEvidence,
  suggestDecision,
  type Suggestion,
} from '@dmarc-ledger/scoring';
import { serviceOf } from '@dmarc-ledger/sources';
import type { Day } from '@dmarc-ledger/vocabulary';
import type { InventoryFilter, InventoryPage, InventoryRow } from './inventory-question.ts';
import { findInventory } from './inventory.ts';
import { findMailSinceDecision } from './mail-since-decision.ts';

/** How a sender is named. */
export interface SenderIdentity {
  /** Null: a network of addresses of no recognised service. */
  slug: string | null;
  /** The name of the service, or the network. */
  name: string;
}

/** A sender of one domain, with what the rules make of its mail. */
export interface SenderRow extends InventoryRow, SenderIdentity {
  suggestion: Suggestion | null;
  newEvidence: NewEvidence[];
}

/** Returns one page of the senders of an organization's domains, and the number that match. */
export async function findSenders(
  db: Db,
  orgId: string,
  { today, ...filter }: InventoryFilter & { today: Day },
  page: InventoryPage,
): Promise<{ rows: SenderRow[]; total: number }> {
  const { rows, total } = await findInventory(db, orgId, filter, page);
  const since = await findMailSinceDecision(db, orgId, rows, today);
  return { rows: rows.map((row, i) => withRules(row, since[i])), total };
}

/** Names a sender by its key. */
export function senderIdentity(sender: string): SenderIdentity {
  if (isNetwork(sender)) return { slug: null, name: sender };
  return { slug: sender, name: serviceOf(sender)?.name ?? sender };
}

function withRules(row: InventoryRow, since: MailSince | undefined): SenderRow {
  const { sender, decision, messages, malicious: maliciousAddresses } = row;
  const relaying = relayingOf(isNetwork(sender) ? null : sender);
  return {
    ...row,
    ...senderIdentity(sender),
    suggestion: suggestDecision({ class: sourceClassOf(row), messages, spfPass: row.spf_pass, ...relaying }),
    newEvidence: decision && since ? evidenceAgainst({ decision, since, maliciousAddresses }) : [],
  };
}
