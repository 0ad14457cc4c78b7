import { setTimeout as sleep } from 'node:timers/promises';
import { countUnfinished, findFinished } from '@dmarc-ledger/ledger';
import type { Database } from '@dmarc-ledger/schema';
import { readPaths } from '@dmarc-ledger/inlets';
import { receiveMessages, type Arrival } from '@dmarc-ledger/pipeline';
import type { BlobStore } from '@dmarc-ledger/blobs';
import { present } from '@dmarc-ledger/vocabulary';
import { askPatiently } from './ask-patiently.ts';
import { addFinished, noSummary, type IngestSummary, type Pending, type Refused } from './ingest-summary.ts';
import { isTooLarge, refusalOf, tooLarge, unreadable, withSourceErrors } from './refused-arrival.ts';

export interface IngestNeeds {
  database: Database;
  blobs: BlobStore;
  /** Receives every delivery that is received or done. */
  onProgress?: (progress: { received: number; done: number }) => void;
  /** Receives every refusal, which the summary does not list then. */
  onRefusal?: (refusal: Refused) => void;
}

/** What is received at once, for few transactions and large ones. */
const RECEIVED_AT_ONCE = { deliveries: 256, bytes: 8 * 1024 ** 2 };
const PENDING_LIMIT = 5_000;
const ASKED_AT_ONCE = 500;
const POLL_MS = 200;

/**
 * Receives the deliveries at the paths (or the given ones) and waits until all of them are stored and judged. Any
 * services on this database do the work: those of this process, or others. A delivery that cannot be received is
 * refused, and ends nothing.
 */
export async function ingestPaths(
  needs: IngestNeeds,
  orgId: string,
  arrivals: Iterable<string> | AsyncIterable<Arrival>,
): Promise<IngestSummary> {
  const summary = noSummary();
  const onRefusal = needs.onRefusal ?? ((refusal: Refused) => void summary.refusals.push(refusal));
  const refuse = (source: string, refusal: { code: string; message: string }) => {
    summary.received += 1;
    summary.refused += 1;
    onRefusal({ source, ...refusal });
  };
  const pending: Pending[] = [];
  const receive = async (batch: Arrival[]) => {
    const received = await receiveMessages(needs, orgId, batch);
    pending.push(...received.map((message, i) => ({ ...message, name: present(batch[i]).name ?? '' })));
    summary.received += batch.length;
    while (pending.length > PENDING_LIMIT) await settle(needs, orgId, pending, { summary, onRefusal });
    needs.onProgress?.({ received: summary.received, done: summary.received - pending.length });
  };
  /** A stream is received alone, so that nothing else is refused with it. */
  const receiveStream = async (arrival: Arrival) => {
    try {
      await receive([withSourceErrors(arrival)]);
    } catch (error) {
      const refusal = refusalOf(error);
      if (!refusal) throw error;
      refuse(arrival.name ?? '', refusal);
    }
  };
  const source = Symbol.asyncIterator in arrivals ? arrivals : found(arrivals, refuse);
  let batch: Arrival[] = [];
  let bytes = 0;
  const receiveBatch = async () => {
    const whole = batch;
    [batch, bytes] = [[], 0];
    await receive(whole);
  };
  for await (const arrival of source) {
    const { content } = arrival;
    if (!Buffer.isBuffer(content)) {
      await receiveBatch();
      await receiveStream(arrival);
      continue;
    }
    batch.push(arrival);
    bytes += content.length;
    if (batch.length >= RECEIVED_AT_ONCE.deliveries || bytes >= RECEIVED_AT_ONCE.bytes) await receiveBatch();
  }
  await receiveBatch();
  while (pending.length > 0) await settle(needs, orgId, pending, { summary, onRefusal });
  while ((await askPatiently(() => countUnfinished(needs.database.db, orgId))) > 0) await sleep(POLL_MS);
  return summary;
}

async function* found(
  paths: Iterable<string>,
  refuse: (source: string, refusal: { code: string; message: string }) => void,
): AsyncGenerator<Arrival> {
  for await (const file of readPaths(paths)) {
    if ('error' in file) refuse(file.name, unreadable(file.error));
    else if (isTooLarge(file)) refuse(file.name, tooLarge());
    else yield { content: file.content, source: 'file', name: file.name };
  }
}

/** Counts the finished ones among the oldest pending deliveries, and waits a little when there are none. */
async function settle(
  needs: IngestNeeds,
  orgId: string,
  pending: Pending[],
  { summary, onRefusal }: { summary: IngestSummary; onRefusal: (refusal: Refused) => void },
): Promise<void> {
  const asked = pending.slice(0, ASKED_AT_ONCE);
  const ids = asked.map(({ id }) => id);
  const finished = await askPatiently(() => findFinished(needs.database.db, orgId, ids));
  if (finished.length === 0) return void (await sleep(POLL_MS));
  const byId = new Map(finished.map((details) => [details.id, details]));
  const open = asked.filter((message) => !byId.has(message.id));
  for (const message of asked) {
    const details = byId.get(message.id);
    if (details) addFinished(summary, message, details, onRefusal);
  }
  pending.splice(0, asked.length, ...open);
  needs.onProgress?.({ received: summary.received, done: summary.received - pending.length });
  if (open.length > 0) await sleep(POLL_MS);
}
