import { findPayloads } from '@dmarc-ledger/ledger';
import type { Database } from '@dmarc-ledger/schema';
import type { OpenedDocument } from './open-delivery.ts';

/** Which delivery brought the contents that were taken before, by their SHA-256 in hex. */
export async function knownContents(
  { db }: Database,
  orgId: string,
  documents: readonly OpenedDocument[],
): Promise<Map<string, string>> {
  const hashes = documents.flatMap((document) => (document.kind === 'whole' ? [document.sha256] : []));
  const found = await findPayloads(
    db,
    orgId,
    hashes.map((hash) => Buffer.from(hash, 'hex')),
  );
  return new Map(
    found
      .filter(({ outcome }) => outcome !== 'refused')
      .map(({ sha256, message_id }) => [sha256.toString('hex'), message_id]),
  );
}
