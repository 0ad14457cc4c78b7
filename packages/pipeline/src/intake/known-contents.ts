import { findTakenContents, type TakenContent } from '@dmarc-ledger/ledger';
import type { Db } from '@dmarc-ledger/schema';
import { hasFailed } from './copy-origin.ts';
import type { OpenedDelivery, OpenedDocument } from './open-delivery.ts';

/** The documents whose content was stored before, by the content's SHA-256 in hex. */
export async function knownContents(
  db: Db,
  orgId: string,
  documents: readonly OpenedDocument[],
): Promise<Map<string, TakenContent>> {
  const whole = documents.filter((document) => document.kind === 'whole');
  return await findTakenContents(
    db,
    orgId,
    whole.map(({ sha256 }) => sha256),
  );
}

/**
 * The other delivery that brought this content, if any. Content that an earlier run of this delivery stored is stored
 * again, and so is a report of another kind that only failing mail has brought, when this delivery's mail did not fail.
 */
export function otherDelivery(
  known: ReadonlyMap<string, TakenContent>,
  sha256: string,
  delivery: Pick<OpenedDelivery, 'message' | 'mailFacts'>,
): string | undefined {
  const content = known.get(sha256);
  if (!content || content.messageId === delivery.message.id) return undefined;
  return content.isFailed && !hasFailed(delivery) ? undefined : content.messageId;
}

/**
 * Whether a document may be a TLS or placement report of a mail whose time is known. Known content is then read again,
 * as that time may decide which copy is held. A file or upload adds no time to content that came before. (rules,
 * other-reports/copies)
 */
export function isDated(document: OpenedDocument, { mailReceivedAt }: Pick<OpenedDelivery, 'mailReceivedAt'>): boolean {
  return document.kind === 'whole' && document.format === 'json' && mailReceivedAt !== null;
}

/** The other delivery that brought this content and took it, if any: as `otherDelivery`, for one content. */
export async function findFirstDelivery(
  db: Db,
  orgId: string,
  delivery: Pick<OpenedDelivery, 'message' | 'mailFacts'>,
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
