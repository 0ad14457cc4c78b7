import type { Db, MessageSource } from '@dmarc-ledger/schema';
import { sql } from 'kysely';
import { hasCode } from './has-code.ts';
import { HELD_CODE, UNAUTHENTICATED } from './unauthenticated-codes.ts';

/**
 * The owner brings a delivery that a mailbox had brought, or an import had rebuilt: all of it is the owner's from now
 * on, and it is read again where its mail was found unauthenticated, it was unproven, or only a part was taken, also
 * when its bytes had been deleted. The order of the two must not matter.
 */
export async function readAsOwners(
  db: Db,
  orgId: string,
  messages: readonly { sha256: Buffer; source: MessageSource }[],
): Promise<void> {
  for (const [source, brought] of Map.groupBy(messages, (message) => message.source)) {
    if (source === 'mailbox' || source === 'import') continue;
    const sha256s = brought.map(({ sha256 }) => sha256);
    const isAgain = sql<boolean>`state not in ('received', 'processing')
      and (source = 'import' or only_domains is not null or ${hasCode([HELD_CODE])} or ${hasFailed})`;
    await db
      .updateTable('raw_message')
      .set({
        source,
        only_domains: null,
        bytes_purged_at: sql`case when ${isAgain} then null else bytes_purged_at end`,
        state: sql`case when ${isAgain} then 'received' else state end`,
        attempts_started: sql`case when ${isAgain} then 0 else attempts_started end`,
      })
      .where('org_id', '=', orgId)
      .where('sha256', '=', sql<Buffer>`any(${sha256s})`)
      .where('source', 'in', ['mailbox', 'import'])
      .execute();
    if (source === 'file') await readAsFiles(db, orgId, sha256s);
  }
}

/** Whether failing mail brought a content of a delivery; this one may repeat what another was first to bring. */
const hasFailed = sql<boolean>`(parts::text like ${`%${UNAUTHENTICATED}%`} or exists (
  select from jsonb_to_recordset(parts) as part (sha256 text)
    join payload p on p.org_id = raw_message.org_id and p.sha256 = decode(part.sha256, 'hex')
    join raw_message f on f.org_id = p.org_id and f.id = p.message_id
  where p.failed or f.parts::text like ${`%${UNAUTHENTICATED}%`}))`;

/** A file waits for no budget of records, also one that was uploaded or mailed before and is not read yet. */
async function readAsFiles(db: Db, orgId: string, sha256s: readonly Buffer[]): Promise<void> {
  await db
    .updateTable('raw_message')
    .set({
      source: 'file',
      code: sql`case when held_until is null then code end`,
      held_until: null,
    })
    .where('org_id', '=', orgId)
    .where('sha256', '=', sql<Buffer>`any(${sha256s})`)
    .where('state', 'in', ['received', 'processing'])
    .where((eb) => eb.or([eb('source', '=', 'upload'), eb('held_until', 'is not', null)]))
    .execute();
}
