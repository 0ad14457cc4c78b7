import { pathToFileURL } from 'node:url';
import { openBlobs } from '@dmarc-ledger/blobs';
import { openDimensions } from '@dmarc-ledger/ledger';
import { openDatabase } from '@dmarc-ledger/schema';
import { publicSuffixDomains } from '@dmarc-ledger/dmarc';
import { noReputation, openDnsClient, openZoneAsker, openGeo } from '@dmarc-ledger/lookups';
import { openQueues, servableQueues } from '@dmarc-ledger/queues';
import { readBlocklists } from '@dmarc-ledger/sources';
import { openOutside, runLookupPlan, runRelay, watchZones, workHandlers } from '../../src/index.ts';

/** The arguments of a worker process, as JSON in its first argument. */
export interface WorkerOrder {
  databaseUrl: string;
  redisUrl?: string;
  folder: string;
  dns: { address: string; port: number };
  blocklists: string;
}

// A worker that also plans lookups, to be killed. A dead one's jobs are taken over soon.
const order = JSON.parse(process.argv[2]!) as WorkerOrder;
const database = openDatabase(order.databaseUrl);
const queues = await openQueues({ databaseUrl: order.databaseUrl, redisUrl: order.redisUrl });
const onFault = (message: string, error: unknown) => process.stderr.write(`${message} ${String(error)}\n`);
const dns = openDnsClient({ servers: [order.dns], timeoutMs: 10_000 });
const { lists } = readBlocklists(order.blocklists);
const asker = openZoneAsker({ client: dns, perSecond: Infinity });
const zones = watchZones({ database, asker, lists, everyMs: 100, onFault });
const outside = openOutside({ dns, geo: openGeo(), reputation: noReputation, lists, zones, asker });
const handlers = workHandlers({
  database,
  blobs: await openBlobs(pathToFileURL(order.folder).href),
  dimensions: openDimensions(database),
  organizationalDomain: publicSuffixDomains(),
  outside,
});
const timing = { lockMs: 4_000, stalledCheckMs: 500 };
await queues.work(handlers, { concurrency: 2, timing, queues: servableQueues(handlers) });
const forever = new AbortController().signal;
const plan = { inHand: 100, inHandBesideIntake: 100, atOnce: 40, inJob: 10, lostAfterSeconds: 600 };
await Promise.all([
  runRelay({ database, queues, onFault }, forever),
  runLookupPlan({ database, plan, everyMs: 100, onFault }, forever),
]);
