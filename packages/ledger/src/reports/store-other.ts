import type { Session, Statement } from '@dmarc-ledger/schema';
import { tellEvents } from '../events/tell-events.ts';
import type { OtherCopy } from './other-copy.ts';
import { aprfBodyRows, aprfRow, failureRow, receiptOf, tlsFailureRows, tlsRow } from './other-rows.ts';
import * as statements from './other-statements.ts';
import { conditionsOf } from './report-conditions.ts';
import type { Kept } from './store-reports.ts';

/**
 * Stores reports that are in no rollup, in the session's transaction. Of copies that differ the newest is held, the same
 * whatever the order of arrival; what is there already changes nothing. Answers in the order of the input.
 */
export async function storeOther(session: Session, orgId: string, copies: readonly OtherCopy[]): Promise<Kept[]> {
  const held = [
    ...(await storeTls(
      session,
      orgId,
      copies.filter((copy) => copy.kind === 'tlsrpt'),
    )),
    ...(await storeAprf(
      session,
      orgId,
      copies.filter((copy) => copy.kind === 'aprf'),
    )),
    ...(await storeFailures(
      session,
      orgId,
      copies.filter((copy) => copy.kind === 'ruf'),
    )),
  ];
  const byIdentity = new Map(held.map((report) => [keyOf(report), report]));
  return copies.map((copy) => answer(copy, byIdentity.get(keyOf(copy))!));
}

/** A report as the table has it after all of a load was put there. */
interface Held {
  kind: OtherCopy['kind'];
  id: string;
  identity: Buffer;
  payload_sha256: Buffer;
  message_id: string;
}

type Of<Kind extends OtherCopy['kind']> = Extract<OtherCopy, { kind: Kind }>;

async function storeTls(session: Session, orgId: string, copies: Of<'tlsrpt'>[]): Promise<Held[]> {
  if (copies.length === 0) return [];
  const { put, held } = await putNewest(
    session,
    orgId,
    copies,
    tlsRow,
    statements.putTlsReports,
    statements.findTlsReports,
  );
  await session.run(statements.clearTlsFailures, [orgId, put.map(({ id }) => id)]);
  const failures = put.flatMap(({ id, copy }) => tlsFailureRows(orgId, id, copy.report.policies));
  if (failures.length > 0) await session.run(statements.insertTlsFailures, [JSON.stringify(failures)]);
  await tell(session, orgId, put);
  return held;
}

async function storeAprf(session: Session, orgId: string, copies: Of<'aprf'>[]): Promise<Held[]> {
  if (copies.length === 0) return [];
  const { put, held } = await putNewest(
    session,
    orgId,
    copies,
    aprfRow,
    statements.putAprfReports,
    statements.findAprfReports,
  );
  await session.run(statements.clearAprfRows, [orgId, put.map(({ id }) => id)]);
  const rows = put.flatMap(({ id, copy }) => aprfBodyRows(orgId, id, copy));
  if (rows.length > 0) await session.run(statements.insertAprfRows, [JSON.stringify(rows)]);
  await tell(session, orgId, put);
  return held;
}

async function storeFailures(session: Session, orgId: string, copies: Of<'ruf'>[]): Promise<Held[]> {
  if (copies.length === 0) return [];
  const { put, held } = await putNewest(
    session,
    orgId,
    copies,
    failureRow,
    statements.putFailureReports,
    statements.findFailureReports,
  );
  await tell(session, orgId, put);
  return held;
}

/** Of reports that were put, and of none that was there already. */
async function tell(session: Session, orgId: string, put: readonly { copy: OtherCopy }[]): Promise<void> {
  const copies = put.map(({ copy }) => copy);
  await tellEvents(session, orgId, conditionsOf(copies));
}

/** Puts the newest copy of each report; tells which ones were put, and what is held of each now. */
async function putNewest<Copy extends OtherCopy>(
  session: Session,
  orgId: string,
  copies: readonly Copy[],
  rowOf: (orgId: string, copy: Copy) => unknown,
  put: Statement,
  find: Statement,
): Promise<{ put: { id: string; copy: Copy }[]; held: Held[] }> {
  const newest = new Map(copies.toSorted(byAge).map((copy) => [keyOf(copy), copy]));
  const ordered = [...newest.values()].toSorted((a, b) => Buffer.compare(a.identity, b.identity));
  const rows = await session.run<{ id: string; identity: Buffer }>(put, [
    JSON.stringify(ordered.map((copy) => rowOf(orgId, copy))),
  ]);
  const held = await session.run<Omit<Held, 'kind'>>(find, [orgId, ordered.map(({ identity }) => identity)]);
  const { kind } = ordered[0]!;
  return {
    put: rows.map(({ id, identity }) => ({ id, copy: newest.get(keyOf({ kind, identity }))! })),
    held: held.map((report) => ({ kind, ...report })),
  };
}

function byAge(a: OtherCopy, b: OtherCopy): number {
  return (
    receiptOf(a).getTime() - receiptOf(b).getTime() || Buffer.compare(a.origin.payloadSha256, b.origin.payloadSha256)
  );
}

function keyOf({ kind, identity }: Pick<OtherCopy, 'kind' | 'identity'>): string {
  return `${kind} ${identity.toString('hex')}`;
}

/** A copy that is held because of this very delivery is stored, be it by an earlier run. */
function answer({ origin }: OtherCopy, held: Held): Kept {
  const isHeld = held.payload_sha256.equals(origin.payloadSha256);
  const outcome = !isHeld ? 'conflict' : held.message_id === origin.messageId ? 'stored' : 'duplicate';
  return { outcome, reportId: held.id };
}
