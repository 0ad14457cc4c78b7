import type { Session } from '@dmarc-ledger/schema';
import { sql } from 'kysely';

/** A further delivery with these contents is read, as nothing that was stored of them is left. */
export async function forgetContents({ db }: Session, orgId: string, sha256s: readonly Buffer[]): Promise<void> {
  await sql`
    delete from payload where org_id = ${orgId} and sha256 in (
      select sha256 from payload where org_id = ${orgId} and sha256 = any(${sha256s}::bytea[])
        order by sha256 for update)`.execute(db);
}
