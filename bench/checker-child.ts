import { openBlobs } from '@dmarc-ledger/blobs';
import { openDimensions } from '@dmarc-ledger/ledger';
import { openDatabase } from '@dmarc-ledger/schema';
import { publicSuffixDomains } from '@dmarc-ledger/dmarc';
import { guardedFetch, openDnsClient } from '@dmarc-ledger/lookups';
import { askDns, runCheckPlan, runHealthPlan, runRelay, workHandlers } from '@dmarc-ledger/pipeline';
import { openQueues } from '@dmarc-ledger/queues';

/** What the process is given, as JSON in its first argument. */
export interface CheckerOrder {
  url: string;
  blobsUrl: string;
  dns: { address: string; port: number };
  /** Checks at a time. */
  concurrency: number;
}

/** A worker and a scheduler of domains in one process, with the usual limits. It reports its memory. */
const order = JSON.parse(process.argv[2]!) as CheckerOrder;
const database = openDatabase(order.url);
const queues = await openQueues({ databaseUrl: order.url });
const onFault = (message: string, error: unknown) => console.error(message, error);
let queries = 0;
const dns = openDnsClient({ servers: [order.dns], isAllowedServer: () => true, onQuery: () => (queries += 1) });
const search = { client: dns, port: order.dns.port, isAllowed: () => true };
const https = guardedFetch({ client: dns });
const ending = new AbortController();
await queues.work(
  workHandlers({
    database,
    blobs: await openBlobs(order.blobsUrl),
    dimensions: openDimensions(database),
    organizationalDomain: publicSuffixDomains(),
    askDns: (signal) => askDns({ dns, search, https, isValidating: false }, signal),
  }),
  { concurrency: order.concurrency, queues: ['domains', 'rollups'] },
);
const running = [
  runRelay({ database, queues, onFault }, ending.signal),
  runCheckPlan({ database, onFault }, ending.signal),
  runHealthPlan({ database, onFault }, ending.signal),
];
process.on('message', () => {
  const { rss } = process.memoryUsage();
  process.send!({ rss, peak: process.resourceUsage().maxRSS * 1024, cpu: process.cpuUsage(), queries });
});
process.once('disconnect', () => {
  ending.abort();
  void Promise.all(running)
    .then(() => queues.close())
    .then(() => database.close())
    .finally(() => process.exit());
});
