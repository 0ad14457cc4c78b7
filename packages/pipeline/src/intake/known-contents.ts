import { findTakenContents } from '@dmarc-ledger/ledger';
import type { Db } from '@dmarc-ledger/schema';
import type { OpenedDelivery, OpenedDocument } from './open-delivery.ts';

/** The delivery that brought each document whose content was stored before, by the content's SHA-256 in hex. */
export async function knownContents(
  db: Db,
  orgId: string,
  documents: readonly OpenedDocument[],
): Promise<Map<string, string>> {
  const whole = documents.filter((document) => document.kind === 'whole');
  return await findTakenContents(
    db,
    orgId,
    whole.map(({ sha256 }) => sha256),
  );
}

/**
 * The other delivery that brought this content, if any. Content that an earlier run of this delivery stored is stored
 * again.
 */
export function otherDelivery(
  known: ReadonlyMap<string, string>,
  sha256: string,
  { message }: Pick<OpenedDelivery, 'message'>,
): string | undefined {
  const by = known.get(sha256);
  return by === message.id ? undefined : by;
}

/** The other delivery that brought this content and took it, if any: as `otherDelivery`, for one content. */
export async function foreignContent(
  db: Db,
  orgId: string,
  delivery: Pick<OpenedDelivery, 'message'>,
  sha256: string,
): Promise<string | undefined> {
  return otherDelivery(await findTakenContents(db, orgId, [sha256]), sha256, delivery);
}

/**
 * Whether a delivery is taken as a whole. When only some domains are taken, a known content does not suffice: another
 * part of it may have been taken before.
 */
export function isTakenWhole({ selection }: Pick<OpenedDelivery, 'selection'>): boolean {
  return selection.onlyDomains === null;
}
