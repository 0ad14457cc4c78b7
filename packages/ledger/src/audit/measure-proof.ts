import type { Db } from '@dmarc-ledger/schema';
import { sql } from 'kysely';
import { readWithoutLoops } from './without-loops.ts';

/** The counted messages of an organization, by what proves them. Their sum is the organization's total. */
export interface Proof {
  /** Raw bytes as a reporter or the owner sent them, which are kept. */
  proven: number;
  /** The same, but retention has deleted the raw bytes. */
  bytesDeleted: number;
  /** An import alone: what another tool kept of the report. */
  imported: number;
}

/** Measures, from the reports, what the counted messages rest on. (rules, copies/unproven-copies) */
export async function measureProof(db: Db, orgId: string): Promise<Proof> {
  const proof = sql<Proof>`
    select coalesce(sum(r.messages) filter (where r.unproven is not true and m.id is not null), 0)::bigint as proven,
      coalesce(sum(r.messages) filter (where r.unproven is not true and m.id is null), 0)::bigint as "bytesDeleted",
      coalesce(sum(r.messages) filter (where r.unproven), 0)::bigint as imported
    from report r
      left join report_revision v on v.org_id = r.org_id and v.report_id = r.id and v.payload_sha256 = r.payload_sha256
      left join raw_message m on m.org_id = v.org_id and m.id = v.message_id and m.bytes_purged_at is null
    where r.org_id = ${orgId}`;
  const { rows } = await readWithoutLoops(db, (trx) => proof.execute(trx));
  return rows[0] ?? { proven: 0, bytesDeleted: 0, imported: 0 };
}

/**
 * Reports whose mark differs from that of the copy that counts, where the copies were compared. `$1` is the
 * organization.
 */
export const WRONG_PROOF = `
  select r.id from report r
    join report_revision v on v.org_id = r.org_id and v.report_id = r.id and v.payload_sha256 = r.payload_sha256
  where r.org_id = $1 and v.settled and coalesce(r.unproven, false) <> coalesce(v.unproven, false)`;

/** Corrects the marks of those of the reports `$2` that `WRONG_PROOF` finds; they are locked. */
export const CORRECT_PROOF = `
  update report r set unproven = not coalesce(r.unproven, false) from (${WRONG_PROOF}) wrong
  where r.org_id = $1 and r.id = wrong.id and r.id = any($2::uuid[])`;
