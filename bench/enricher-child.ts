import { openBlobs } from '@dmarc-ledger/blobs';
import { openDimensions } from '@dmarc-ledger/ledger';
import { openDatabase } from '@dmarc-ledger/schema';
import { publicSuffixDomains } from '@dmarc-ledger/dmarc';
import { noReputation, openDnsClient, openZoneAsker, openGeo } from '@dmarc-ledger/lookups';
import { openOutside, runLookupPlan, runRelay, runSweep, watchZones, workHandlers } from '@dmarc-ledger/pipeline';
import { openQueues, servableQueues } from '@dmarc-ledger/queues';
import { readBlocklists } from '@dmarc-ledger/sources';

/** What the process is given, as JSON in its first argument. */
export interface EnricherOrder {
  url: string;
  blobsUrl: string;
  redisUrl?: string;
  dns: { address: string; port: number };
  blocklists: string;
  concurrency: number;
  /** False: a worker and a scheduler that look nothing up. */
  lookups: boolean;
}

/** A worker and a scheduler in one process, without a limit on the rate of queries to lists. Reports its memory. */
const order = JSON.parse(process.argv[2]!) as EnricherOrder;
const database = openDatabase(order.url);
const queues = await openQueues({ databaseUrl: order.url, redisUrl: order.redisUrl });
const onFault = (message: string, error: unknown) => console.error(message, error);
const dns = openDnsClient({ servers: [order.dns] });
const { lists } = readBlocklists(order.blocklists);
const asker = openZoneAsker({ client: dns, perSecond: Infinity });
const zones = watchZones({ database, asker, lists, onFault });
const outside = openOutside({ dns, geo: openGeo(), reputation: noReputation, lists, zones, asker });
const ending = new AbortController();
const handlers = workHandlers({
  database,
  blobs: await openBlobs(order.blobsUrl),
  dimensions: openDimensions(database),
  organizationalDomain: publicSuffixDomains(),
  outside: order.lookups ? outside : undefined,
});
await queues.work(handlers, { concurrency: order.concurrency, queues: servableQueues(handlers) });
const running = [
  runRelay({ database, queues, onFault }, ending.signal),
  ...(order.lookups ? [runLookupPlan({ database, onFault }, ending.signal)] : []),
  runSweep({ database, onFault }, ending.signal),
];
process.on('message', () => {
  const { heapUsed, rss } = process.memoryUsage();
  process.send!({ rss, heapUsed, peak: process.resourceUsage().maxRSS * 1024, cpu: process.cpuUsage() });
});
process.once('disconnect', () => {
  ending.abort();
  void Promise.all(running)
    .then(() => queues.close())
    .then(() => zones.close())
    .then(() => database.close())
    .finally(() => process.exit());
});
