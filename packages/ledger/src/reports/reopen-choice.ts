import type { Session } from '@dmarc-ledger/schema';
import { sql } from 'kysely';
import { announce } from '../due-work/announce-work.ts';
import type { CopyKey } from '../intake/held-reports.ts';
import { holdIdentities } from './store-statements.ts';

/**
 * Opens the choice between the copies of reports again, where one of these copies is stored beside the counted one: its
 * delivery is read again, and whether the organization holds it may have changed.
 */
export async function reopenChoice(session: Session, orgId: string, copies: readonly CopyKey[]): Promise<void> {
  if (copies.length === 0) return;
  const identities = copies.map(({ identity }) => identity);
  const payloads = copies.map(({ payloadSha256 }) => payloadSha256);
  await session.run(holdIdentities, [orgId, identities]);
  const { rows } = await sql<{ report_id: string }>`
    update report_revision v set settled = false
    from unnest(${identities}::bytea[], ${payloads}::bytea[]) as k (identity, payload)
      join report r on r.org_id = ${orgId} and r.identity = k.identity and r.payload_sha256 <> k.payload
    where v.org_id = ${orgId} and v.report_id = r.id and v.payload_sha256 = k.payload and v.settled
    returning v.report_id`.execute(session.db);
  const reportIds = new Set(rows.map(({ report_id }) => report_id));
  await announce(
    session,
    orgId,
    [...reportIds].map((reportId) => ({ job: 'settleReport', payload: { orgId, reportId } })),
  );
}
