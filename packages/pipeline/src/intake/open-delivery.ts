import { hash } from 'node:crypto';
import type { BlobStore } from '@dmarc-ledger/blobs';
import type { ClaimedMessage } from '@dmarc-ledger/db';
import { bufferSource, unpack, UnpackError, type Document } from '@dmarc-ledger/unpack';
import { CodedError, type Refusal, type Warning } from '@dmarc-ledger/vocabulary';

/** Content up to this is read as a whole, several reports in one transaction; above it as a stream, on its own. */
export const WHOLE_LIMIT = 8 * 1024 ** 2;
const IN_MEMORY_LIMIT = 36 * 1024 ** 2;

/** A document of a delivery: its content in memory, a stream when that is large, or why it cannot be had. */
export type OpenedDocument = { path: string; name: string | null; warnings: Warning[] } & (
  | { kind: 'whole'; format: Document['kind']; bytes: Buffer; sha256: string }
  | { kind: 'large'; document: Document }
  | { kind: 'refused'; refusal: Refusal }
);

export interface OpenedDelivery {
  message: ClaimedMessage;
  documents: OpenedDocument[];
  mailReceivedAt: Date | null;
}

/** Reads a delivery's bytes and unpacks them. What is wrong with one document is said of that document alone. */
export async function openDelivery(blobs: BlobStore, message: ClaimedMessage): Promise<OpenedDelivery> {
  const none = { message, mailReceivedAt: null };
  try {
    const blob = await blobs.get(message.sha256);
    const source =
      blob.size <= IN_MEMORY_LIMIT
        ? bufferSource(await blob.bytes())
        : { size: blob.size, open: (start?: number, end?: number) => blob.open(start, end) };
    const { documents, refusals, mail } = await unpack(source, { name: message.name ?? undefined });
    const opened: OpenedDocument[] = [];
    for (const document of documents) opened.push(await openDocument(document));
    for (const { path, code, message: text } of refusals) opened.push(refused(path, { code, message: text }));
    return { message, documents: opened, mailReceivedAt: mail?.receivedAt ? new Date(mail.receivedAt * 1000) : null };
  } catch (error) {
    if (!(error instanceof CodedError) || error.retryable) throw error;
    return { ...none, documents: [refused('', error)] };
  }
}

async function openDocument(document: Document): Promise<OpenedDocument> {
  const { path, name, kind: format } = document;
  try {
    const whole = await document.readWhole(WHOLE_LIMIT);
    if (!whole && format !== 'xml')
      return refused(path, {
        code: 'payload_too_large',
        message: `More than ${WHOLE_LIMIT} bytes; only aggregate reports may be larger.`,
      });
    if (!whole) return { path, name, kind: 'large', document, warnings: [...document.warnings] };
    return {
      path,
      name,
      kind: 'whole',
      format,
      bytes: whole.bytes,
      sha256: hash('sha256', whole.bytes, 'hex'),
      warnings: whole.warnings,
    };
  } catch (error) {
    if (error instanceof UnpackError) return refused(path, error);
    throw error;
  }
}

function refused(path: string, { code, message }: Refusal): OpenedDocument {
  return { path, name: null, kind: 'refused', refusal: { code, message }, warnings: [] };
}
