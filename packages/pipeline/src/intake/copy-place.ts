import { contentHash } from '@dmarc-ledger/vocabulary';
import type { OpenedDocument } from './open-delivery.ts';
import { isRefusal } from './read-documents.ts';

/** Where a copy of a report was found: the path of its document in the delivery, and the hash of its content. */
export interface CopyPlace {
  document: string;
  payloadSha256: Buffer;
}

/**
 * What a document has in common with a copy. Several documents of a delivery may have one path: names may be equal, and
 * long ones are cut. The hash of a large document is known only once it was read, so it is compared at that path alone.
 */
export async function likenessOf(
  document: OpenedDocument,
  { document: path, payloadSha256 }: CopyPlace,
): Promise<'content' | 'place' | 'none'> {
  const isThere = document.path === path;
  const sha256 = document.kind === 'large' && !isThere ? undefined : await hashOf(document);
  if (sha256 === payloadSha256.toString('hex')) return 'content';
  return isThere ? 'place' : 'none';
}

/** Undefined for a document that cannot be read to its end. */
async function hashOf(document: OpenedDocument): Promise<string | undefined> {
  switch (document.kind) {
    case 'whole':
      return document.sha256;
    case 'refused':
      return undefined;
    case 'large':
      try {
        return (await contentHash(document.document.open())).toString('hex');
      } catch (error) {
        if (isRefusal(error)) return undefined;
        throw error;
      }
  }
}
