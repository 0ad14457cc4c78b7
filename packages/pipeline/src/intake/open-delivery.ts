import type { BlobStore } from '@dmarc-ledger/blobs';
import type { ClaimedMessage } from '@dmarc-ledger/ledger';
import type { MailFacts } from '@dmarc-ledger/dmarc';
import {
  bufferSource,
  DeliveryBudget,
  mailAllowance,
  ownersAllowance,
  unpack,
  UnpackError,
  type ByteSource,
  type Document,
  type Envelope,
  type Unpacking,
} from '@dmarc-ledger/unpack';
import { contentHash, isFinal, WorkSlices, type Refusal, type Warning } from '@dmarc-ledger/vocabulary';
import { believedFacts } from './mail-facts.ts';
import type { DocumentReading } from './document-reading.ts';
import { EVERYTHING, type Selection } from './selection.ts';

/**
 * Content up to this size is read as a whole, several reports in one transaction; larger content is streamed
 * separately.
 */
const WHOLE_LIMIT = 8 * 1024 ** 2;
const IN_MEMORY_LIMIT = 36 * 1024 ** 2;

/** A document of a delivery: its content in memory, a stream when it is large, or why it cannot be opened. */
export type OpenedDocument = { path: string; name: string | null; warnings: Warning[] } & (
  | { kind: 'whole'; format: Document['kind']; bytes: Buffer; sha256: string }
  | { kind: 'large'; document: Document }
  | { kind: 'refused'; refusal: Refusal }
);

export interface OpenedDelivery {
  message: ClaimedMessage;
  /** In milliseconds since 1970. */
  openedAt: number;
  /** The first of its documents, which nearly always are all of them. */
  documents: OpenedDocument[];
  /** The remaining documents, opened one at a time; null when there are none. */
  rest: AsyncGenerator<OpenedDocument, void, undefined> | null;
  /** What it may still expand to. */
  budget: DeliveryBudget;
  mailReceivedAt: Date | null;
  mailFacts: MailFacts | null;
  /** Addresses that the mail was sent to. */
  recipients: string[];
  selection: Selection;
  /** What the documents that were read contain: what was read to route the delivery is not read again to store it. */
  readings: Map<OpenedDocument, DocumentReading>;
}

/** The most that is opened before anything is stored; a larger delivery is stored in steps. */
const AHEAD = { documents: 50, bytes: 4 * 1024 ** 2 };

/**
 * Reads a delivery's bytes and opens the first documents in it. A fault of one document concerns that document alone. A
 * delivery that is not iterated to its end must be closed.
 */
export async function openDelivery(blobs: BlobStore, message: ClaimedMessage): Promise<OpenedDelivery> {
  const none = {
    message,
    openedAt: Date.now(),
    selection: { ...EVERYTHING, onlyDomains: message.onlyDomains },
    readings: new Map<OpenedDocument, DocumentReading>(),
    mailReceivedAt: null,
    mailFacts: message.mailFacts,
    recipients: [],
  };
  const allowance = allowanceOf(message);
  const source = await sourceOf(blobs, message).catch(refusalOf);
  if (!('open' in source))
    return { ...none, documents: [source], rest: null, budget: new DeliveryBudget(0, allowance) };
  const unpacking = unpack(source, { name: message.name ?? undefined, allowance });
  const ahead = await openAhead(openDocuments(unpacking));
  return { ...none, ...ahead, budget: unpacking.budget, ...(unpacking.mail && trustedFacts(unpacking.mail, message)) };
}

/** A zip that its owner uploads may be an archive of years; a mail may be from anybody. */
function allowanceOf({ source }: ClaimedMessage) {
  return source === 'mailbox' ? mailAllowance : ownersAllowance;
}

async function sourceOf(blobs: BlobStore, { sha256 }: ClaimedMessage): Promise<ByteSource> {
  const blob = await blobs.get(sha256);
  return blob.size <= IN_MEMORY_LIMIT
    ? bufferSource(await blob.bytes())
    : { size: blob.size, open: (start?: number, end?: number) => blob.open(start, end) };
}

/** A permanent fault, such as missing or damaged bytes, becomes a refusal of the delivery. */
function refusalOf(error: unknown): OpenedDocument {
  if (!isFinal(error)) throw error;
  return refused('', error);
}

/** All documents of a delivery, in order; each must be finished before the next is requested. */
export async function* documentsOf({ documents, rest }: OpenedDelivery): AsyncGenerator<OpenedDocument> {
  yield* documents;
  if (rest) yield* rest;
}

/** Releases the resources of an opened delivery. */
export async function closeDelivery({ documents, rest, readings }: OpenedDelivery): Promise<void> {
  documents.length = 0;
  readings.clear();
  await rest?.return();
}

/** Whether it cannot share a transaction with other deliveries. */
export function isLong({ documents, rest }: OpenedDelivery): boolean {
  return rest !== null || documents.some(({ kind }) => kind === 'large');
}

async function openAhead(
  all: NonNullable<OpenedDelivery['rest']>,
): Promise<Pick<OpenedDelivery, 'documents' | 'rest'>> {
  const documents: OpenedDocument[] = [];
  let bytes = 0;
  while (documents.length < AHEAD.documents && bytes <= AHEAD.bytes) {
    const { done, value } = await all.next();
    if (done) return { documents, rest: null };
    documents.push(value);
    if (value.kind === 'large') break;
    if (value.kind === 'whole') bytes += value.bytes.length;
  }
  return { documents, rest: all };
}

async function* openDocuments(unpacking: Unpacking): AsyncGenerator<OpenedDocument, void, undefined> {
  const work = new WorkSlices();
  try {
    for await (const found of unpacking) {
      await work.pause();
      yield found.kind === 'refused' ? refused(found.path, found) : await openDocument(found);
    }
  } catch (error) {
    yield refusalOf(error);
  }
}

/** The facts of the mail's header that may be believed, which depends on the mailbox that received it. */
function trustedFacts(mail: Envelope, { mailboxes, mailFacts }: ClaimedMessage) {
  return {
    mailReceivedAt: mail.receivedAt ? new Date(mail.receivedAt * 1000) : null,
    mailFacts: mailboxes || !mailFacts ? believedFacts(mail, mailboxes?.authservIds ?? []) : mailFacts,
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
      sha256: (await contentHash(whole.bytes)).toString('hex'),
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
