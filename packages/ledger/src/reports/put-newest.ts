import type { Session, Statement } from '@dmarc-ledger/schema';
import type { OtherCopy } from './other-copy.ts';
import { isFailed, receiptOf } from './other-rows.ts';

/** The copies of one kind that were written to their table, and the stored state of all that were given. */
export interface PutOther<Copy extends OtherCopy = OtherCopy> {
  put: Written<Copy>[];
  corrected: Written<Copy>[];
  held: Held[];
}

interface Written<Copy extends OtherCopy> {
  id: string;
  copy: Copy;
}

/** A report as stored after all copies of a batch were written. */
export interface Held {
  kind: OtherCopy['kind'];
  id: string;
  identity: Buffer;
  payload_sha256: Buffer;
  message_id: string;
}

interface Writing<Copy extends OtherCopy> {
  rowOf: (orgId: string, copy: Copy) => unknown;
  put: Statement;
  correct: Statement;
  /** For kinds of which the copy received last is held. */
  renew?: Statement;
  find: Statement;
}

interface WrittenRow {
  id: string;
  identity: Buffer;
}

type CorrectedRow = WrittenRow & Pick<Held, 'payload_sha256'>;

function isOf({ identity, origin }: OtherCopy, held: Omit<CorrectedRow, 'id'>): boolean {
  return identity.equals(held.identity) && origin.payloadSha256.equals(held.payload_sha256);
}

/** Writes the copy of each report that is kept. */
export async function putNewest<Copy extends OtherCopy>(
  session: Session,
  orgId: string,
  copies: readonly Copy[],
  { rowOf, put, correct, renew, find }: Writing<Copy>,
): Promise<PutOther<Copy>> {
  const newest = new Map(copies.toSorted(byWorth).map((copy) => [keyOf(copy), copy]));
  const ordered = [...newest.values()].toSorted((a, b) => Buffer.compare(a.identity, b.identity));
  const json = (some: readonly Copy[]) => JSON.stringify(some.map((copy) => rowOf(orgId, copy)));
  const rows = await session.run<WrittenRow>(put, [json(ordered)]);
  const { kind } = ordered[0]!;
  const isPut = new Set(rows.map(({ identity }) => keyOf({ kind, identity })));
  const others = copies.filter((copy) => !isPut.has(keyOf(copy))); // also one that is held, behind a later one
  const again = others.length > 0 ? await session.run<CorrectedRow>(correct, [orgId, json(others)]) : [];
  if (renew && others.length > 0) await session.run(renew, [orgId, json(ordered)]);
  const held = await session.run<Omit<Held, 'kind'>>(find, [orgId, ordered.map(({ identity }) => identity)]);
  return {
    put: rows.map(({ id, identity }) => ({ id, copy: newest.get(keyOf({ kind, identity }))! })),
    corrected: again.map(({ id, ...held }) => ({ id, copy: others.find((copy) => isOf(copy, held))! })),
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

export function keyOf({ kind, identity }: Pick<OtherCopy, 'kind' | 'identity'>): string {
  return `${kind} ${identity.toString('hex')}`;
}
