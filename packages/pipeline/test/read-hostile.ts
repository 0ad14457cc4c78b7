import type { BlobStore } from '@dmarc-ledger/blobs';
import { closeDelivery, documentsOf, openDelivery } from '../src/intake/open-delivery.ts';
import { LargeReading } from '../src/intake/large-reading.ts';
import { isRefusal, readDocument } from '../src/intake/read-documents.ts';

/** The result of reading a delivery, and its cost to the process. */
export interface Costs {
  reports: number;
  records: number;
  refusals: string[];
  /** The longest time on the processor in one turn of the event loop; the time of other processes does not count. */
  heldMs: number;
  tookMs: number;
  /** On the processor, in all threads. */
  workedMs: number;
  grownMiB: number;
}

/** Opens and reads a delivery as intake does, storing nothing. */
export async function readHostile(
  blobs: BlobStore,
  bytes: Buffer,
  source: 'mailbox' | 'upload' = 'mailbox',
): Promise<Costs> {
  const { sha256 } = await blobs.put(bytes);
  const costs: Costs = { reports: 0, records: 0, refusals: [], heldMs: 0, tookMs: 0, workedMs: 0, grownMiB: 0 };
  const before = process.memoryUsage().rss;
  let most = before;
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss);
  }, 5);
  const started = performance.now();
  const worked = process.cpuUsage();
  const loop = watchLoop();
  const message = {
    id: '',
    sha256,
    size: bytes.length,
    source,
    name: 'a',
    receivedAt: new Date('2026-01-02'),
    attemptsStarted: 1,
    mailboxId: null,
    mailboxes: null,
    claimedBy: null,
    onlyDomains: null,
    mailFacts: null,
    isReleased: false,
    isReread: false,
  };
  const delivery = await openDelivery(blobs, message);
  for await (const document of documentsOf(delivery)) {
    if (document.kind === 'refused') costs.refusals.push(document.refusal.code);
    else if (document.kind === 'whole') {
      const { readings, others, refusals } = await readDocument(document, delivery);
      costs.reports += readings.length + others.length;
      for (const { records } of readings) costs.records += records.length;
      for (const { code } of refusals) costs.refusals.push(code);
      delivery.readings.delete(document);
    } else
      try {
        const reading = await LargeReading.begin(delivery, document);
        for await (const batch of reading.batches()) costs.records += batch.length;
        costs.reports += 1;
      } catch (error) {
        if (!isRefusal(error)) throw error;
        costs.refusals.push(error.code);
      }
  }
  await closeDelivery(delivery);
  clearInterval(watch);
  costs.heldMs = loop.end();
  costs.tookMs = performance.now() - started;
  const { user, system } = process.cpuUsage(worked);
  costs.workedMs = (user + system) / 1_000;
  costs.grownMiB = (most - before) / 1024 ** 2;
  return costs;
}

/** Measures, at every turn of the loop, the thread's processor time since the last one. */
function watchLoop(): { end: () => number } {
  const worked = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1_000;
  };
  let longest = 0;
  let last = worked();
  let turn = setImmediate(look);
  function look(): void {
    const now = worked();
    longest = Math.max(longest, now - last);
    last = now;
    turn = setImmediate(look);
  }
  return {
    end: () => {
      clearImmediate(turn);
      return longest;
    },
  };
}
