import { findTakenContents } from '@dmarc-ledger/ledger';
import type { Db } from '@dmarc-ledger/schema';
import type { OpenedDelivery, OpenedDocument } from './open-delivery.ts';

/** Which delivery brought each of the documents whose content was taken before, by their SHA-256 in hex. */
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

/** The other delivery that brought this content, if one did. What an earlier run of the same delivery took is taken again. */
export function otherDelivery(
  known: ReadonlyMap<string, string>,
  sha256: string,
  { message }: Pick<OpenedDelivery, 'message'>,
): string | undefined {
  const by = known.get(sha256);
  return by === message.id ? undefined : by;
}

/**
 * Whether all of a delivery is taken. Where only some domains are, that its content is known says too little: another part
 * of it may have been taken before.
 */
export function isTakenWhole({ selection }: Pick<OpenedDelivery, 'selection'>): boolean {
  return selection.onlyDomains === null;
}
