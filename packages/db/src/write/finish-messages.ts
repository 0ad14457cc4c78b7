import type { Session } from '../transaction.ts';
import type { FinishedMessage } from './intake.ts';
import { finishMessages as finishStatement } from './store-statements.ts';

/** Closes deliveries, and remembers the contents that were in them. */
export async function finishMessages(
  session: Session,
  orgId: string,
  messages: readonly FinishedMessage[],
): Promise<void> {
  const payloads = messages.flatMap(({ id, parts }) =>
    parts
      .filter(({ sha256, outcome }) => sha256 !== null && outcome !== 'duplicate')
      .map(({ sha256, outcome, code }) => ({ sha256: `\\x${sha256}`, message_id: id, outcome, code })),
  );
  const rows = messages.map(({ id, state, code, parts, mailReceivedAt }) => ({
    id,
    state,
    code,
    parts,
    mail_received_at: mailReceivedAt?.toISOString() ?? null,
  }));
  await session.run(finishStatement, [
    orgId,
    JSON.stringify(rows),
    JSON.stringify(payloads),
    messages.map(({ id }) => id),
  ]);
}
