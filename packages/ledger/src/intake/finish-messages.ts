import type { MailFacts } from '@dmarc-ledger/dmarc';
import type { MessagePart, MessageSource, PayloadTable, Session } from '@dmarc-ledger/schema';
import { finishMessages as finishStatement } from './finish-statement.ts';

/** The outcome of a delivery: its state, the first refusal's code, and the outcome of each document. */
export interface FinishedMessage {
  id: string;
  state: 'stored' | 'duplicate' | 'assigned' | 'refused' | 'quarantined';
  code: string | null;
  parts: MessagePart[];
  mailReceivedAt: Date | null;
  mailFacts: MailFacts | null;
  /**
   * What it was read with: a delivery that a mailbox or its owner brought meanwhile, that was released, or that was
   * assigned more domains or other facts of its mail, is not finished.
   */
  mailboxId: string | null;
  onlyDomains: readonly string[] | null;
  source: MessageSource;
  isReleased: boolean;
  factsRead: MailFacts | null;
}

/** A row of `payload`, in the JSON that the statement reads. */
interface Content extends Pick<PayloadTable, 'message_id' | 'outcome' | 'code'> {
  sha256: string;
  failed: boolean;
}

/** Closes deliveries, and records their contents. */
export async function finishMessages(
  session: Session,
  orgId: string,
  messages: readonly FinishedMessage[],
): Promise<void> {
  const payloads = new Map<string, Content>();
  for (const { id, parts } of messages) {
    const unproved = new Set(parts.flatMap((part) => (part.failed ? part.sha256 : [])));
    for (const { sha256, outcome, code, reports } of parts) {
      if (sha256 === null || outcome === 'assigned') continue;
      if (outcome === 'duplicate' && reports.length === 0) continue; // a known content
      // one entry is enough for several reports in a content
      if (outcome === 'refused' && payloads.has(sha256)) continue;
      const failed = unproved.has(sha256);
      if (failed && payloads.get(sha256)?.failed === false) continue;
      payloads.set(sha256, { sha256: `\\x${sha256}`, message_id: id, outcome, code, failed });
    }
  }
  const rows = messages.map(
    ({ id, state, code, parts, mailReceivedAt, mailFacts, mailboxId, onlyDomains, source, isReleased, factsRead }) => ({
      id,
      state,
      code,
      parts,
      mail_received_at: mailReceivedAt?.toISOString() ?? null,
      mail_facts: mailFacts,
      mailbox_id: mailboxId,
      only_domains: onlyDomains,
      source,
      is_released: isReleased,
      facts_read: factsRead,
    }),
  );
  await session.run(finishStatement, [
    orgId,
    JSON.stringify(rows),
    JSON.stringify([...payloads.values()]),
    messages.map(({ id }) => id),
  ]);
}
