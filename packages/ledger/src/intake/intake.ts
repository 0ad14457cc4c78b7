import type { Db, MessagePart, MessageSource } from '@dmarc-ledger/schema';
import { newId, type Refusal } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';
import { hasCode } from './has-code.ts';
import { readAsOwners } from './read-as-owners.ts';
import { reopenDamaged, reopenPurged } from './reopen-damaged.ts';
import { IMPORT_HELD_CODE } from './unauthenticated-codes.ts';

/** A delivery whose bytes are durable. */
export interface NewMessage {
  sha256: Buffer;
  size: number;
  source: MessageSource;
  name: string | null;
  /** The mailbox that brought it. */
  mailboxId?: string;
  /** Why it is not read; only its header is stored then. */
  refusal?: Refusal | undefined;
  /** True: it is not held though its source is `import`. */
  isReleased?: boolean | undefined;
}

export interface ReceivedMessage {
  id: string;
  /** False if the same bytes had been received before. */
  fresh: boolean;
}

/** Enters deliveries, each content once for an organization. Returns results in the order of the input. */
export async function enterMessages(
  db: Db,
  orgId: string,
  messages: readonly NewMessage[],
): Promise<ReceivedMessage[]> {
  if (messages.length === 0) return [];
  const unique = [...new Map(messages.map((message) => [message.sha256.toString('hex'), message])).values()].toSorted(
    (a, b) => Buffer.compare(a.sha256, b.sha256),
  );
  const fresh = new Map<string, string>();
  const held = new Map<string, string>();
  const isOpen = ({ sha256 }: NewMessage) => !held.has(sha256.toString('hex'));
  for (let open = unique; open.length > 0; open = open.filter(isOpen)) {
    const made = await insertMessages(db, orgId, open);
    for (const { id, sha256 } of made) {
      fresh.set(sha256.toString('hex'), id);
      held.set(sha256.toString('hex'), id);
    }
    // one that a purge deletes in between is inserted at the next attempt
    for (const { id, sha256 } of await lockMessages(db, orgId, open.filter(isOpen)))
      held.set(sha256.toString('hex'), id);
  }
  const rest = unique.filter(({ sha256 }) => !fresh.has(sha256.toString('hex')));
  if (rest.length > 0) {
    await readAsMail(db, orgId, rest);
    await readAsOwners(db, orgId, rest);
    await releaseImported(db, orgId, rest);
    const again = rest.map(({ sha256 }) => sha256);
    await reopenDamaged(db, orgId, again);
    await reopenPurged(db, orgId, again);
  }
  return messages.map(({ sha256 }) => {
    const key = sha256.toString('hex');
    return { id: held.get(key)!, fresh: fresh.delete(key) };
  });
}

async function insertMessages(db: Db, orgId: string, messages: readonly NewMessage[]) {
  return await db
    .insertInto('raw_message')
    .values(messages.map((message) => ({ org_id: orgId, id: newId(), ...columnsOf(message) })))
    .onConflict((conflict) => conflict.columns(['org_id', 'sha256']).doNothing())
    .returning(['id', 'sha256'])
    .execute();
}

/** Waits for a reading that is about to end: what the statements after this one do depends on how it has ended. */
async function lockMessages(db: Db, orgId: string, messages: readonly NewMessage[]) {
  if (messages.length === 0) return [];
  return await db
    .selectFrom('raw_message')
    .select(['id', 'sha256'])
    .where('org_id', '=', orgId)
    .where('sha256', '=', sql<Buffer>`any(${messages.map(({ sha256 }) => sha256)})`)
    .orderBy('sha256')
    .forNoKeyUpdate()
    .execute();
}

/**
 * Reads a delivery again that a further mailbox of the organization brings, whatever brought it before: each mailbox
 * says which server to believe, a shared one gives it to other organizations, and one that is not brings it whole. The
 * order must not matter.
 */
async function readAsMail(db: Db, orgId: string, messages: readonly NewMessage[]): Promise<void> {
  for (const [mailboxId, mails] of Map.groupBy(messages, (message) => message.mailboxId)) {
    if (!mailboxId) continue;
    await db
      .updateTable('raw_message as m')
      .from('mailbox as b')
      .set({
        mailbox_id: mailboxId,
        source: sql`case m.source when 'import' then 'mailbox' else m.source end`,
        only_domains: sql`case when b.shared then m.only_domains end`,
        bytes_purged_at: null,
        state: sql`case m.state when 'processing' then m.state else 'received' end`,
        attempts_started: sql`case m.state when 'processing' then m.attempts_started else 0 end`,
      })
      .where('m.org_id', '=', orgId)
      .where('m.sha256', '=', sql<Buffer>`any(${mails.map(({ sha256 }) => sha256)})`)
      .where(sql<boolean>`not m.header_only and m.mailbox_id is distinct from ${mailboxId} and not exists (
        select from mailbox_item i where i.org_id = m.org_id and i.message_id = m.id and i.mailbox_id = ${mailboxId})`)
      .where('b.org_id', '=', orgId)
      .where('b.id', '=', mailboxId)
      .execute();
  }
}

/** Counts from now on what an earlier import held, or what still waits or is being read: then it is read once more. */
async function releaseImported(db: Db, orgId: string, messages: readonly NewMessage[]): Promise<void> {
  const released = messages.filter(({ isReleased }) => isReleased);
  if (released.length === 0) return;
  await db
    .updateTable('raw_message')
    .set({
      released_at: sql<Date>`coalesce(released_at, ledger_now())`,
      bytes_purged_at: null,
      state: sql`case state when 'processing' then state else 'received' end`,
      attempts_started: sql`case when state in ('received', 'processing') then attempts_started else 0 end`,
    })
    .where('org_id', '=', orgId)
    .where('sha256', '=', sql<Buffer>`any(${released.map(({ sha256 }) => sha256)})`)
    .where('source', '=', 'import')
    .where((eb) => eb.or([hasCode([IMPORT_HELD_CODE]), eb('state', 'in', ['received', 'processing'])]))
    .execute();
}

function columnsOf({ mailboxId, refusal, isReleased = false, ...message }: NewMessage) {
  const released_at = isReleased ? sql<Date>`ledger_now()` : null;
  const arrival = { ...message, released_at, mailbox_id: mailboxId ?? null };
  if (!refusal) return arrival;
  const part: MessagePart = {
    path: '',
    kind: null,
    sha256: null,
    outcome: 'refused',
    reports: [],
    warnings: [],
    ...refusal,
  };
  return {
    ...arrival,
    header_only: true,
    state: 'refused' as const,
    code: refusal.code,
    parts: JSON.stringify([part]),
    finished_at: new Date(),
  };
}
