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

/** Content up to this is read as a whole, several reports in one transaction; above it as a stream, on its own. */
const WHOLE_LIMIT = 8 * 1024 ** 2;
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
  /** The first of its documents: nearly always all of them. */
  documents: OpenedDocument[];
  /** Those behind them, opened one at a time; null when there are none. */
  rest: AsyncGenerator<OpenedDocument, void, undefined> | null;
  /** What it may still turn into. */
  budget: DeliveryBudget;
  mailReceivedAt: Date | null;
  mailFacts: MailFacts | null;
  /** Addresses that the mail says it is for. */
  recipients: string[];
  selection: Selection;
  /** Documents that were read: to learn whom they are for, or to be stored. */
  readings: Map<OpenedDocument, DocumentReading>;
}

/** What is opened before anything of it is stored: more than this is stored in steps. */
const AHEAD = { documents: 50, bytes: 4 * 1024 ** 2 };

/**
 * Reads a delivery's bytes and opens the first documents in it. What is wrong with one document is said of that
 * document alone. A delivery that is not walked to its end is to be closed.
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
  return { ...none, ...ahead, budget: unpacking.budget, ...(unpacking.mail && told(unpacking.mail, message)) };
}

/** One zip that its owner hands in may be the archive of years; a mail is from anybody. */
function allowanceOf({ source }: ClaimedMessage) {
  return source === 'mailbox' ? mailAllowance : ownersAllowance;
}

async function sourceOf(blobs: BlobStore, { sha256 }: ClaimedMessage): Promise<ByteSource> {
  const blob = await blobs.get(sha256);
  return blob.size <= IN_MEMORY_LIMIT
    ? bufferSource(await blob.bytes())
    : { size: blob.size, open: (start?: number, end?: number) => blob.open(start, end) };
}

/** A fault that another try would meet as well, such as bytes that are gone or damaged, is said of the delivery. */
function refusalOf(error: unknown): OpenedDocument {
  if (!isFinal(error)) throw error;
  return refused('', error);
}

/** All documents of a delivery, in order, each to be done with before the next is asked for. */
export async function* documentsOf({ documents, rest }: OpenedDelivery): AsyncGenerator<OpenedDocument> {
  yield* documents;
  if (rest) yield* rest;
}

/** Gives back what an opened delivery holds. */
export async function closeDelivery({ documents, rest, readings }: OpenedDelivery): Promise<void> {
  documents.length = 0;
  readings.clear();
  await rest?.return();
}

/** True when it cannot be stored in one transaction with others. */
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
