import type { Session } from '../transaction.ts';
import type { FinishedMessage } from './intake.ts';
import { finishMessages as finishStatement } from './store-statements.ts';

/** Closes deliveries, and remembers the contents that were in them. */
export async function finishMessages(
  session: Session,
  orgId: string,
  messages: readonly FinishedMessage[],
): Promise<void> {
  const payloads = new Map<string, object>();
  for (const { id, parts } of messages) {
    for (const { sha256, outcome, code, reports } of parts) {
      if (sha256 === null || outcome === 'assigned') continue;
      if (outcome === 'duplicate' && reports.length === 0) continue; // of a content that is known
      if (outcome === 'refused' && payloads.has(sha256)) continue; // of several reports in a content one is enough
      payloads.set(sha256, { sha256: `\\x${sha256}`, message_id: id, outcome, code });
    }
  }
  const rows = messages.map(({ id, state, code, parts, mailReceivedAt, mailFacts, mailboxId, onlyDomains }) => ({
    id,
    state,
    code,
    parts,
    mail_received_at: mailReceivedAt?.toISOString() ?? null,
    mail_facts: mailFacts,
    mailbox_id: mailboxId,
    only_domains: onlyDomains,
  }));
  await session.run(finishStatement, [
    orgId,
    JSON.stringify(rows),
    JSON.stringify([...payloads.values()]),
    messages.map(({ id }) => id),
  ]);
}
