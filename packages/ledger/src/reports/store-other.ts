import type { Session } from '@dmarc-ledger/schema';
import { makeNamedHealthDue } from '../due-work/health-due.ts';
import type { OtherCopy } from './other-copy.ts';
import { adoptIdentities } from './adopt-identity.ts';
import { aprfBodyRows, aprfRow, failureRow, tlsFailureRows, tlsRow } from './other-rows.ts';
import * as statements from './other-statements.ts';
import type { Kept } from './add-copies.ts';
import { type Held, keyOf, putNewest, type PutOther } from './put-newest.ts';

/** The outcome of each copy, in the order of the input. */
export interface StoredOther {
  kept: Kept[];
  /** The copies that are new. */
  put: OtherCopy[];
  /** Those that were held already, and were read again. */
  corrected: OtherCopy[];
}

/**
 * Stores reports that are in no rollup, in the session's transaction. Of several copies the newest is kept, one whose
 * mail failed only without others, whatever the order of arrival; storing one again changes nothing but what is
 * read of it by now, where its own delivery is read again. (rules, other-reports/copies)
 */
export async function storeOther(session: Session, orgId: string, copies: readonly OtherCopy[]): Promise<StoredOther> {
  const tls = copies.filter((copy) => copy.kind === 'tlsrpt');
  const aprf = copies.filter((copy) => copy.kind === 'aprf');
  const failures = copies.filter((copy) => copy.kind === 'ruf');
  const all: PutOther[] = [
    await storeTls(session, orgId, tls),
    await storeAprf(session, orgId, aprf),
    await storeFailures(session, orgId, failures),
  ];
  const byIdentity = new Map(all.flatMap(({ held }) => held).map((report) => [keyOf(report), report]));
  return {
    kept: copies.map((copy) => answer(copy, byIdentity.get(keyOf(copy))!)),
    put: all.flatMap(({ put }) => put.map(({ copy }) => copy)),
    corrected: all.flatMap(({ corrected }) => corrected.map(({ copy }) => copy)),
  };
}

const NOTHING: PutOther<never> = { put: [], corrected: [], held: [] };

type Of<Kind extends OtherCopy['kind']> = Extract<OtherCopy, { kind: Kind }>;

async function storeTls(session: Session, orgId: string, copies: Of<'tlsrpt'>[]): Promise<PutOther> {
  if (copies.length === 0) return NOTHING;
  await adoptIdentities(session, orgId, copies);
  const stored = await putNewest(session, orgId, copies, {
    rowOf: tlsRow,
    put: statements.putTlsReports,
    correct: statements.correctTlsReports,
    renew: statements.renewTlsReports,
    find: statements.findTlsReports,
  });
  const written = [...stored.put, ...stored.corrected];
  await session.run(statements.clearTlsFailures, [orgId, written.map(({ id }) => id)]);
  const failures = written.flatMap(({ id, copy }) => tlsFailureRows(orgId, id, copy.report.policies));
  if (failures.length > 0) await session.run(statements.insertTlsFailures, [JSON.stringify(failures)]);
  return stored;
}

async function storeAprf(session: Session, orgId: string, copies: Of<'aprf'>[]): Promise<PutOther> {
  if (copies.length === 0) return NOTHING;
  await adoptIdentities(session, orgId, copies);
  const stored = await putNewest(session, orgId, copies, {
    rowOf: aprfRow,
    put: statements.putAprfReports,
    correct: statements.correctAprfReports,
    renew: statements.renewAprfReports,
    find: statements.findAprfReports,
  });
  const written = [...stored.put, ...stored.corrected];
  await session.run(statements.clearAprfRows, [orgId, written.map(({ id }) => id)]);
  const rows = written.flatMap(({ id, copy }) => aprfBodyRows(orgId, id, copy));
  if (rows.length > 0) await session.run(statements.insertAprfRows, [JSON.stringify(rows)]);
  const domains = written.map(({ copy }) => copy.report.dkimDomain.replace(/^\*\./, ''));
  await makeNamedHealthDue(session, orgId, [...new Set(domains)]);
  return stored;
}

async function storeFailures(session: Session, orgId: string, copies: Of<'ruf'>[]): Promise<PutOther> {
  if (copies.length === 0) return NOTHING;
  return await putNewest(session, orgId, copies, {
    rowOf: failureRow,
    put: statements.putFailureReports,
    correct: statements.correctFailureReports,
    find: statements.findFailureReports,
  });
}

/** A copy that this delivery brought counts as stored, even by an earlier run. */
function answer({ origin }: OtherCopy, held: Held): Kept {
  const isHeld = held.payload_sha256.equals(origin.payloadSha256);
  const outcome = !isHeld ? 'conflict' : held.message_id === origin.messageId ? 'stored' : 'duplicate';
  return { outcome, reportId: held.id };
}
