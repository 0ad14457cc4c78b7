import { Worker } from 'node:worker_threads';
import { ReportError, type ReadContext } from '@dmarc-ledger/rua';
import type { Document } from '@dmarc-ledger/unpack';
import { errorCode } from '@dmarc-ledger/vocabulary';
import type { DocumentReading } from './document-reading.ts';
import { oneAtATime } from './one-at-a-time.ts';
import type { Piece, Question } from './reading-worker.ts';

/** Limits of one reading that cannot be sliced. */
const LONGEST_MS = 60_000;
const HEAP_MB = 256;
/** A thread costs memory and time to start, so it is kept this long for the next document. */
const KEPT_MS = 30_000;

/** Beside this file among the sources, and beside the bundle that holds this file in an installed package. */
const WORKER = import.meta.url.endsWith('.ts') ? './reading-worker.ts' : './reading-worker.js';

const inTurn = oneAtATime();
let kept: Worker | undefined;
let ending: NodeJS.Timeout | undefined;

/**
 * Reads a document in a thread, one document of the process at a time. Throws `parse_timeout` or `parse_oom` for a
 * document that takes more than any report does: then only the thread ends.
 */
export function readApart(format: Document['kind'], bytes: Buffer, context: ReadContext): Promise<DocumentReading> {
  return inTurn(() => readIn(begin(), { format, bytes: new Uint8Array(bytes), context }));
}

async function readIn(worker: Worker, question: Exclude<Question, 'next'>): Promise<DocumentReading> {
  const deadline = AbortSignal.timeout(LONGEST_MS);
  const reading: DocumentReading = { readings: [], others: [], refusals: [] };
  try {
    let piece = await ask(worker, question, deadline);
    for (; piece.kind !== 'end'; piece = await ask(worker, 'next', deadline)) add(reading, piece);
    keep(worker);
    return reading;
  } catch (error) {
    await worker.terminate();
    throw error;
  }
}

/**
 * Sends one request and awaits its answer; a thread that dies, or is silent until the deadline, fails with an error.
 */
async function ask(worker: Worker, question: Question, deadline: AbortSignal): Promise<Piece> {
  if (deadline.aborted) throw tooLong();
  const { promise, resolve, reject } = Promise.withResolvers<Piece>();
  const onLate = () => reject(tooLong());
  const onError = (error: unknown) => reject(isOutOfMemory(error) ? tooMuch(error) : error);
  const onExit = (code: number) => reject(new Error(`The thread that reads documents ended with ${code}.`));
  deadline.addEventListener('abort', onLate, { once: true });
  worker.once('message', resolve).once('error', onError).once('exit', onExit);
  worker.postMessage(question, question === 'next' ? [] : [question.bytes.buffer]);
  try {
    return await promise;
  } finally {
    deadline.removeEventListener('abort', onLate);
    worker.off('message', resolve).off('error', onError).off('exit', onExit);
  }
}

function add(reading: DocumentReading, piece: Exclude<Piece, { kind: 'end' }>): void {
  switch (piece.kind) {
    case 'report':
      reading.readings.push({ ...piece.report, records: [] });
      break;
    case 'records': {
      const records = reading.readings.at(-1)?.records;
      for (const record of piece.records) records?.push(record);
      break;
    }
    case 'other':
      reading.others.push(piece.other);
      break;
    case 'refusal':
      reading.refusals.push(piece.refusal);
      break;
  }
}

function begin(): Worker {
  clearTimeout(ending);
  const worker = kept ?? startThread();
  kept = undefined;
  worker.ref();
  return worker;
}

/** A thread that ends while nothing is asked of it, as for want of memory, ends nothing else. */
function startThread(): Worker {
  const worker = new Worker(new URL(WORKER, import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: 32 },
  });
  worker.on('error', () => undefined);
  worker.once('exit', () => {
    if (kept === worker) kept = undefined;
  });
  return worker;
}

/** Neither an idle thread nor its timer keeps the process alive. */
function keep(worker: Worker): void {
  kept = worker;
  worker.unref();
  ending = setTimeout(() => {
    kept = undefined;
    void worker.terminate();
  }, KEPT_MS).unref();
}

function tooLong(): ReportError {
  return new ReportError('parse_timeout', 'the document takes longer to read than any report does');
}

function isOutOfMemory(error: unknown): boolean {
  return errorCode(error) === 'ERR_WORKER_OUT_OF_MEMORY';
}

function tooMuch(cause: unknown): ReportError {
  return new ReportError('parse_oom', 'the document takes more memory to read than any report does', { cause });
}
