import type { Session, Statement } from '@dmarc-ledger/schema';
import type { OtherCopy } from './other-copy.ts';

type Of = Extract<OtherCopy, { kind: 'tlsrpt' | 'aprf' }>;

/**
 * Gives rows of earlier versions, whose identity was without the contact address, the identity of the copies that are
 * about to be stored: where the address is the same, so that no copy of another reporter finds them.
 */
export async function adoptIdentities(session: Session, orgId: string, copies: readonly Of[]): Promise<void> {
  const statement = copies[0]?.kind === 'aprf' ? adoptAprfReports : adoptTlsReports;
  const rows = copies.map(({ identity, formerIdentity, report }) => ({
    identity: `\\x${identity.toString('hex')}`,
    former: formerIdentity && `\\x${formerIdentity.toString('hex')}`,
    contact: report.contact,
  }));
  await session.run(statement, [orgId, JSON.stringify(rows)]);
}

const adoptTlsReports = adoptStatement('tlsrpt_report');
const adoptAprfReports = adoptStatement('aprf_report');

function adoptStatement(table: string): Statement {
  const text = `
    update ${table} t set identity = e.identity
    from (select distinct identity, former, contact
      from json_to_recordset($2::json) as copy (identity bytea, former bytea, contact text)) e
    where t.org_id = $1 and t.identity = e.former and t.contact is not distinct from e.contact
      and not exists (select from ${table} s where s.org_id = $1 and s.identity = e.identity)`;
  return { name: `adopt-${table}`, text };
}
