import type { Db, InstallationFinding, InstallationPart } from '@dmarc-ledger/schema';
import { sql } from 'kysely';

/** Replaces what was last found of a part of the installation. */
export async function putInstallationState(
  db: Db,
  part: InstallationPart,
  findings: readonly InstallationFinding[],
): Promise<void> {
  await sql`
    insert into installation_state (part, found_at, found) values (${part}, now(), ${JSON.stringify(findings)}::jsonb)
    on conflict (part) do update set found_at = excluded.found_at, found = excluded.found`.execute(db);
}
