import type { Db } from '@dmarc-ledger/schema';
import { sql } from 'kysely';
import { hasCode } from './has-code.ts';
import { HELD_CODE, IMPORT_HELD_CODE } from './unauthenticated-codes.ts';

/** Whether an organization holds reports of which no mail passed as the reporter, instead of counting them. */
export async function holdsUnauthenticated(db: Db, orgId: string): Promise<boolean> {
  const row = await db.selectFrom('organization').select('unauthenticated').where('id', '=', orgId).executeTakeFirst();
  return row?.unauthenticated === 'hold';
}

/** A copy of a report: its identity, and the SHA-256 of its content. */
export interface CopyKey {
  identity: Buffer;
  payloadSha256: Buffer;
}

export function copyKeyText({ identity, payloadSha256 }: CopyKey): string {
  return `${identity.toString('hex')} ${payloadSha256.toString('hex')}`;
}

/**
 * Returns the reports of those of these copies, by `copyKeyText`, that are stored and that not only failing mail has
 * brought.
 */
export async function findVouchedCopies(
  db: Db,
  orgId: string,
  copies: readonly CopyKey[],
): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('report as r')
    .innerJoin('report_revision as v', (join) =>
      join.onRef('v.org_id', '=', 'r.org_id').onRef('v.report_id', '=', 'r.id'),
    )
    .select(['r.id', 'r.identity', 'v.payload_sha256'])
    .where('r.org_id', '=', orgId)
    .where('r.identity', '=', sql<Buffer>`any(${copies.map(({ identity }) => identity)}::bytea[])`)
    .where('v.payload_sha256', '=', sql<Buffer>`any(${copies.map(({ payloadSha256 }) => payloadSha256)}::bytea[])`)
    .where(sql<boolean>`v.authenticated is distinct from false and v.unproven is not true`)
    .execute();
  return new Map(
    rows.map(({ id, identity, payload_sha256 }) => [copyKeyText({ identity, payloadSha256: payload_sha256 }), id]),
  );
}

/** The held deliveries to release: one, those with a report about a domain, or all. */
export interface HeldScope {
  id?: string | undefined;
  about?: string | undefined;
  /** True: those of imports; otherwise those of mail. An id finds either. */
  isImported?: boolean | undefined;
}

/** The codes of the deliveries that such a release is about. */
export function heldCodes({ id, isImported = false }: HeldScope): string[] {
  if (id !== undefined) return [HELD_CODE, IMPORT_HELD_CODE];
  return [isImported ? IMPORT_HELD_CODE : HELD_CODE];
}

/**
 * Marks held deliveries as released; they count once they are read again, and one that is being read is read once more.
 * Returns how many are newly marked.
 */
export async function releaseReports(db: Db, orgId: string, scope: HeldScope): Promise<number> {
  const { id, about } = scope;
  let held = db
    .updateTable('raw_message')
    .set({ released_at: sql<Date>`ledger_now()` })
    .where('org_id', '=', orgId)
    .where(hasCode(heldCodes(scope)))
    .where('released_at', 'is', null);
  if (id !== undefined) held = held.where('id', '=', id);
  if (about !== undefined) held = held.where(isAbout(about));
  const { numUpdatedRows } = await held.executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

/** Whether a delivery holds a report about this domain; `parts` is its column. */
export function isAbout(domain: string) {
  return sql<boolean>`exists (
    select from jsonb_array_elements(parts) as part where part -> 'held' ->> 'domain' = ${domain})`;
}
