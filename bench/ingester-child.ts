import { createReadStream } from 'node:fs';
import { openBlobs } from '@dmarc-ledger/blobs';
import { openClaimant, openDimensions } from '@dmarc-ledger/ledger';
import { openDatabase } from '@dmarc-ledger/schema';
import { receiveMessages, runIntake } from '@dmarc-ledger/pipeline';

/** Orders for a child process: to open a ledger, to receive a file, to end its work. */
export type Order =
  | { do: 'open'; url: string; blobsUrl: string }
  | { do: 'intake' }
  | { do: 'receive'; orgId: string; file: string }
  | { do: 'end' };

/** Bytes in memory now, and at the peak. */
export interface Answer {
  rss: number;
  peak: number;
}

const orders: { [Name in Order['do']]: (order: Extract<Order, { do: Name }>) => Promise<unknown> } = {
  async open({ url, blobsUrl }) {
    const database = openDatabase(url);
    await database.pool.query('select 1');
    opened = { database, blobs: await openBlobs(blobsUrl), claimant: openClaimant(database) };
  },
  async intake() {
    const { database, blobs, claimant } = opened!;
    ending = new AbortController();
    running = runIntake(
      { database, blobs, claimant, dimensions: openDimensions(database), onFault: fail },
      ending.signal,
    );
  },
  async receive({ orgId, file }) {
    const { database, blobs } = opened!;
    await receiveMessages({ database, blobs }, orgId, [
      { content: createReadStream(file), source: 'file', name: null },
    ]);
  },
  async end() {
    ending?.abort();
    await running;
    opened?.claimant.release();
    await opened?.database.close();
    opened = undefined;
  },
};

let opened:
  | {
      database: ReturnType<typeof openDatabase>;
      blobs: Awaited<ReturnType<typeof openBlobs>>;
      claimant: ReturnType<typeof openClaimant>;
    }
  | undefined;
let ending: AbortController | undefined;
let running: Promise<void> | undefined;

process.on('message', (order: Order) => void obey(order).catch((error: unknown) => fail('An order failed.', error)));
process.on('disconnect', () => process.exit());

async function obey(order: Order): Promise<void> {
  await (orders[order.do] as (order: Order) => Promise<unknown>)(order); // each gets its own kind
  process.send!({ rss: process.memoryUsage.rss(), peak: process.resourceUsage().maxRSS * 1024 } satisfies Answer);
}

function fail(message: string, error: unknown): void {
  console.error(message, error);
  process.exit(1);
}
