import type { Session, Statement } from '@dmarc-ledger/schema';
import { makeNamedHealthDue } from '../due-work/health-due.ts';
import type { OtherCopy } from './other-copy.ts';
import { aprfBodyRows, aprfRow, failureRow, isFailed, receiptOf, tlsFailureRows, tlsRow } from './other-rows.ts';
import * as statements from './other-statements.ts';
import type { Kept } from './add-copies.ts';

/** The outcome of each copy, in the order of the input, and the copies that are new. */
export interface StoredOther {
  kept: Kept[];
  put: OtherCopy[];
}

/**
 * Stores reports that are in no rollup, in the session's transaction. Of several copies the newest is kept, one whose
 * mail failed DMARC only without others, whatever the order of arrival; storing one again changes nothing. (rules,
 * other-reports/copies)
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
  };
}

/** The copies of one kind that were written to their table, and the stored state of all that were given. */
interface PutOther<Copy extends OtherCopy = OtherCopy> {
  put: { id: string; copy: Copy }[];
  held: Held[];
}

const NOTHING: PutOther<never> = { put: [], held: [] };

/** A report as stored after all copies of a batch were written. */
interface Held {
  kind: OtherCopy['kind'];
  id: string;
  identity: Buffer;
  payload_sha256: Buffer;
  message_id: string;
}

type Of<Kind extends OtherCopy['kind']> = Extract<OtherCopy, { kind: Kind }>;

async function storeTls(session: Session, orgId: string, copies: Of<'tlsrpt'>[]): Promise<PutOther> {
  if (copies.length === 0) return NOTHING;
  const { put, held } = await putNewest(session, orgId, copies, {
    rowOf: tlsRow,
    put: statements.putTlsReports,
    renew: statements.renewTlsReports,
    find: statements.findTlsReports,
  });
  await session.run(statements.clearTlsFailures, [orgId, put.map(({ id }) => id)]);
  const failures = put.flatMap(({ id, copy }) => tlsFailureRows(orgId, id, copy.report.policies));
  if (failures.length > 0) await session.run(statements.insertTlsFailures, [JSON.stringify(failures)]);
  return { put, held };
}

async function storeAprf(session: Session, orgId: string, copies: Of<'aprf'>[]): Promise<PutOther> {
  if (copies.length === 0) return NOTHING;
  const { put, held } = await putNewest(session, orgId, copies, {
    rowOf: aprfRow,
    put: statements.putAprfReports,
    renew: statements.renewAprfReports,
    find: statements.findAprfReports,
  });
  await session.run(statements.clearAprfRows, [orgId, put.map(({ id }) => id)]);
  const rows = put.flatMap(({ id, copy }) => aprfBodyRows(orgId, id, copy));
  if (rows.length > 0) await session.run(statements.insertAprfRows, [JSON.stringify(rows)]);
  const domains = put.map(({ copy }) => copy.report.dkimDomain.replace(/^\*\./, ''));
  await makeNamedHealthDue(session, orgId, [...new Set(domains)]);
  return { put, held };
}

async function storeFailures(session: Session, orgId: string, copies: Of<'ruf'>[]): Promise<PutOther> {
  if (copies.length === 0) return NOTHING;
  const { putFailureReports, findFailureReports } = statements;
  return await putNewest(session, orgId, copies, {
    rowOf: failureRow,
    put: putFailureReports,
    find: findFailureReports,
  });
}

interface Writing<Copy extends OtherCopy> {
  rowOf: (orgId: string, copy: Copy) => unknown;
  put: Statement;
  /** For kinds of which the copy received last is held. */
  renew?: Statement;
  find: Statement;
}

/** Writes the copy of each report that is kept. */
async function putNewest<Copy extends OtherCopy>(
  session: Session,
  orgId: string,
  copies: readonly Copy[],
  { rowOf, put, renew, find }: Writing<Copy>,
): Promise<PutOther<Copy>> {
  const newest = new Map(copies.toSorted(byWorth).map((copy) => [keyOf(copy), copy]));
  const ordered = [...newest.values()].toSorted((a, b) => Buffer.compare(a.identity, b.identity));
  const written = JSON.stringify(ordered.map((copy) => rowOf(orgId, copy)));
  const rows = await session.run<{ id: string; identity: Buffer }>(put, [written]);
  if (renew && rows.length < ordered.length) await session.run(renew, [orgId, written]);
  const held = await session.run<Omit<Held, 'kind'>>(find, [orgId, ordered.map(({ identity }) => identity)]);
  const { kind } = ordered[0]!;
  return {
    put: rows.map(({ id, identity }) => ({ id, copy: newest.get(keyOf({ kind, identity }))! })),
    held: held.map((report) => ({ kind, ...report })),
  };
}

function byWorth(a: OtherCopy, b: OtherCopy): number {
  return (
    Number(isFailed(b)) - Number(isFailed(a)) ||
    receiptOf(a).getTime() - receiptOf(b).getTime() ||
    Buffer.compare(a.origin.payloadSha256, b.origin.payloadSha256)
  );
}

function keyOf({ kind, identity }: Pick<OtherCopy, 'kind' | 'identity'>): string {
  return `${kind} ${identity.toString('hex')}`;
}

/** A copy that this delivery brought counts as stored, even by an earlier run. */
function answer({ origin }: OtherCopy, held: Held): Kept {
  const isHeld = held.payload_sha256.equals(origin.payloadSha256);
  const outcome = !isHeld ? 'conflict' : held.message_id === origin.messageId ? 'stored' : 'duplicate';
  return { outcome, reportId: held.id };
}
