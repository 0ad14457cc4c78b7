import { setTimeout as sleep } from 'node:timers/promises';
import { countUnfinished, findFinished, type MessageStory, type ReceivedMessage } from '@dmarc-ledger/ledger';
import type { Database } from '@dmarc-ledger/schema';
import { readPaths } from '@dmarc-ledger/inlets';
import { receiveMessages, type Arrival } from '@dmarc-ledger/pipeline';
import type { BlobStore } from '@dmarc-ledger/blobs';
import { present } from '@dmarc-ledger/vocabulary';
import { askPatiently } from './ask-patiently.ts';
import { systemReason } from './system-reason.ts';

/** The outcome of an import. Each delivery is in one of stored, duplicates and refused. */
export interface IngestSummary {
  received: number;
  stored: number;
  duplicates: number;
  refused: number;
  warnings: number;
  /** Aggregate reports, and their records. */
  reports: number;
  records: number;
  /** Reports of the other kinds. */
  tlsrpt: number;
  aprf: number;
  ruf: number;
  refusals: Refused[];
}

interface Refused {
  source: string;
  code: string;
  message: string;
}

export interface IngestNeeds {
  database: Database;
  blobs: BlobStore;
  /** Receives every delivery that is received or done. */
  onProgress?: (progress: { received: number; done: number }) => void;
  /** Receives every refusal, which the summary does not list then. */
  onRefusal?: (refusal: Refused) => void;
}

interface Pending extends ReceivedMessage {
  name: string;
}

/** What is received at once, for few transactions and large ones. */
const RECEIVED_AT_ONCE = { deliveries: 256, bytes: 8 * 1024 ** 2 };
const PENDING_LIMIT = 5_000;
const ASKED_AT_ONCE = 500;
const POLL_MS = 200;

/**
 * Receives the deliveries at the paths (or the given ones) and waits until all of them are stored and judged. Any
 * services on this database do the work: those of this process, or others.
 */
export async function ingestPaths(
  needs: IngestNeeds,
  orgId: string,
  arrivals: Iterable<string> | AsyncIterable<Arrival>,
): Promise<IngestSummary> {
  const summary = noSummary();
  const pending: Pending[] = [];
  let batch: Arrival[] = [];
  let bytes = 0;
  const receive = async () => {
    const received = await receiveMessages(needs, orgId, batch);
    pending.push(...received.map((message, i) => ({ ...message, name: present(batch[i]).name ?? '' })));
    summary.received += batch.length;
    batch = [];
    bytes = 0;
    while (pending.length > PENDING_LIMIT) await settle(needs, orgId, pending, summary);
    needs.onProgress?.({ received: summary.received, done: summary.received - pending.length });
  };
  const source = Symbol.asyncIterator in arrivals ? arrivals : found(arrivals, summary);
  for await (const arrival of source) {
    batch.push(arrival);
    const { content } = arrival;
    if (Buffer.isBuffer(content)) bytes += content.length;
    const isFull = batch.length >= RECEIVED_AT_ONCE.deliveries || bytes >= RECEIVED_AT_ONCE.bytes;
    if (isFull || !Buffer.isBuffer(content)) await receive();
  }
  await receive();
  while (pending.length > 0) await settle(needs, orgId, pending, summary);
  while ((await askPatiently(() => countUnfinished(needs.database.db, orgId))) > 0) await sleep(POLL_MS);
  return summary;
}

function noSummary(): IngestSummary {
  const kinds = { reports: 0, records: 0, tlsrpt: 0, aprf: 0, ruf: 0 };
  return { received: 0, stored: 0, duplicates: 0, refused: 0, warnings: 0, ...kinds, refusals: [] };
}

async function* found(paths: Iterable<string>, summary: IngestSummary): AsyncGenerator<Arrival> {
  for await (const file of readPaths(paths)) {
    if ('content' in file) {
      yield { content: file.content, source: 'file', name: file.name };
    } else {
      summary.received += 1;
      summary.refused += 1;
      summary.refusals.push({
        source: file.name,
        code: 'unreadable',
        message: `It cannot be read: ${systemReason(file.error)}`,
      });
    }
  }
}

/** Counts the finished ones among the oldest pending deliveries, and waits a little when there are none. */
async function settle(needs: IngestNeeds, orgId: string, pending: Pending[], summary: IngestSummary): Promise<void> {
  const asked = pending.slice(0, ASKED_AT_ONCE);
  const ids = asked.map(({ id }) => id);
  const stories = await askPatiently(() => findFinished(needs.database.db, orgId, ids));
  if (stories.length === 0) return void (await sleep(POLL_MS));
  const byId = new Map(stories.map((story) => [story.id, story]));
  const open = asked.filter((message) => !byId.has(message.id));
  const onRefusal = needs.onRefusal ?? ((refusal: Refused) => void summary.refusals.push(refusal));
  for (const message of asked) count(summary, message, byId.get(message.id), onRefusal);
  pending.splice(0, asked.length, ...open);
  needs.onProgress?.({ received: summary.received, done: summary.received - pending.length });
  if (open.length > 0) await sleep(POLL_MS);
}

function count(
  summary: IngestSummary,
  { name, fresh }: Pending,
  story: Pick<MessageStory, 'state' | 'parts'> | undefined,
  onRefusal: (refusal: Refused) => void,
): void {
  if (!story) return;
  for (const { outcome, path, code, message } of story.parts) {
    if (outcome === 'refused') onRefusal({ source: placeOf(name, path), code: code ?? '', message: message ?? '' });
  }
  if (story.state === 'refused' || story.state === 'quarantined') {
    summary.refused += 1;
  } else if (story.state === 'duplicate' || !fresh) {
    summary.duplicates += 1;
  } else {
    summary.stored += 1;
    for (const { outcome, kind, reports, warnings } of story.parts) {
      if (outcome !== 'stored') continue;
      if (kind !== null) summary[kind === 'rua' ? 'reports' : kind] += reports.length;
      summary.records += reports.reduce((sum, { records }) => sum + records, 0);
      summary.warnings += warnings.length;
    }
  }
}

/** A delivery and the document inside it; a delivery that is its own document is named once. */
function placeOf(name: string, path: string): string {
  return path === '' || name.endsWith(path) ? name : `${name}: ${path}`;
}
