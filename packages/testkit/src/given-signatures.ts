import type { Db } from '@dmarc-ledger/schema';
import { sql } from 'kysely';

/** Mail with an aligned signature that passed, as if a report had said so. */
interface GivenSignature {
  domainId: string;
  signer: string;
  selector: string;
  day: string;
  messages: number;
}

/** Records passing signatures, each as of a report of its own. */
export async function givenSignatures(db: Db, orgId: string, given: readonly GivenSignature[]): Promise<void> {
  await sql`
    insert into dkim_pass (org_id, report_id, signer, selector, domain_id, day, messages)
    select ${orgId}, gen_random_uuid(), signer, selector, "domainId", day, messages
    from json_to_recordset(${JSON.stringify(given)}::json)
      as g ("domainId" uuid, signer text, selector text, day date, messages bigint)`.execute(db);
}
