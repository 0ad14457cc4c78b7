import { hash } from 'node:crypto';
import type { BlobStore } from '@dmarc-ledger/blobs';
import type { ClaimedMessage } from '@dmarc-ledger/db';
import type { MailFacts } from '@dmarc-ledger/dmarc';
import { bufferSource, unpack, UnpackError, type Document, type Envelope } from '@dmarc-ledger/unpack';
import { CodedError, type Refusal, type Warning } from '@dmarc-ledger/vocabulary';
import { believedFacts } from './mail-facts.ts';
import type { DocumentReading } from './document-reading.ts';
import { EVERYTHING, type Selection } from './selection.ts';

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
  /** In milliseconds since 1970. */
  openedAt: number;
  documents: OpenedDocument[];
  mailReceivedAt: Date | null;
  mailFacts: MailFacts | null;
  /** Addresses that the mail says it is for. */
  recipients: string[];
  selection: Selection;
  /** Documents that were read to learn whom they are for. */
  readings: Map<OpenedDocument, DocumentReading>;
}

/** Reads a delivery's bytes and unpacks them. What is wrong with one document is said of that document alone. */
export async function openDelivery(blobs: BlobStore, message: ClaimedMessage): Promise<OpenedDelivery> {
  const { onlyDomains } = message;
  const none = {
    message,
    openedAt: Date.now(),
    mailReceivedAt: null,
    mailFacts: message.mailFacts,
    recipients: [],
    selection: { ...EVERYTHING, onlyDomains },
    readings: new Map<OpenedDocument, DocumentReading>(),
  };
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
    return { ...none, documents: opened, ...(mail && told(mail, message)) };
  } catch (error) {
    if (!(error instanceof CodedError) || error.retryable) throw error;
    return { ...none, documents: [refused('', error)] };
  }
}

/** What the mail's header tells, and what of it is believed: that depends on whose mailbox brought it. */
function told(mail: Envelope, { mailbox, mailFacts }: ClaimedMessage) {
  return {
    mailReceivedAt: mail.receivedAt ? new Date(mail.receivedAt * 1000) : null,
    mailFacts: mailbox || !mailFacts ? believedFacts(mail, mailbox?.authservIds ?? []) : mailFacts,
    recipients: mail.recipients,
  };
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
