import { parentPort } from 'node:worker_threads';
import type { ReadContext, ReportReading } from '@dmarc-ledger/rua';
import type { Document } from '@dmarc-ledger/unpack';
import type { Refusal } from '@dmarc-ledger/vocabulary';
import type { DocumentReading } from './document-reading.ts';
import { readAtOnce } from './read-at-once.ts';
import type { OtherReading } from './read-other.ts';

/** A request to the thread: to read a document, or for the next piece of what it has read. */
export type Question = { format: Document['kind']; bytes: Uint8Array<ArrayBuffer>; context: ReadContext } | 'next';

/** A piece of a reading, small enough to transfer quickly; a report comes before its records. */
export type Piece =
  | { kind: 'report'; report: Omit<ReportReading, 'records'> }
  | { kind: 'records'; records: ReportReading['records'] }
  | { kind: 'other'; other: OtherReading }
  | { kind: 'refusal'; refusal: Refusal }
  | { kind: 'end' };

const RECORDS_A_PIECE = 500;

function* piecesOf({ readings, others, refusals }: DocumentReading): Generator<Piece, void, undefined> {
  for (const { records, ...report } of readings) {
    yield { kind: 'report', report };
    for (let at = 0; at < records.length; at += RECORDS_A_PIECE)
      yield { kind: 'records', records: records.slice(at, at + RECORDS_A_PIECE) };
  }
  for (const other of others) yield { kind: 'other', other };
  for (const refusal of refusals) yield { kind: 'refusal', refusal };
}

let pieces: Iterator<Piece, void, undefined> | undefined;

parentPort?.on('message', (question: Question) => {
  if (question !== 'next') {
    const { format, bytes, context } = question;
    pieces = piecesOf(readAtOnce(format, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), context));
  }
  const step = pieces?.next();
  const piece: Piece = step?.value ?? { kind: 'end' };
  if (piece.kind === 'end') pieces = undefined;
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port, not a window
  parentPort?.postMessage(piece);
});
