import { openDatabase } from '@dmarc-ledger/schema';
import { openDnsClient } from '@dmarc-ledger/lookups';
import { jobs, openQueues, type Handlers } from '@dmarc-ledger/queues';
import { sendNotification, openNotifier, runNotificationPlan, runRelay } from '../../src/index.ts';
import { secrets } from './given.ts';

/** The arguments of a worker process, as JSON in its first argument. */
export interface WorkerOrder {
  databaseUrl: string;
  redisUrl?: string;
  dns: { address: string; port: number };
  ca: string;
}

// A worker that also plans notifications, to be killed. The work of a dead one is begun again soon.
const order = JSON.parse(process.argv[2]!) as WorkerOrder;
const database = openDatabase(order.databaseUrl);
const queues = await openQueues({ databaseUrl: order.databaseUrl, redisUrl: order.redisUrl });
const onFault = (message: string, error: unknown) => process.stderr.write(`${message} ${String(error)}\n`);
const client = openDnsClient({ servers: [order.dns], timeoutMs: 10_000 });
const notifier = openNotifier({ webhooks: { client, ca: order.ca, isAllowed: () => true }, secrets });
const never = async () => {};
const others = Object.fromEntries(Object.keys(jobs).map((name) => [name, never])) as unknown as Handlers;
await queues.work(
  {
    ...others,
    deliverEvent: ({ orgId, deliveryId }) =>
      sendNotification({ database, notifier, leaseSeconds: 3 }, { orgId, notificationId: deliveryId }),
  },
  { queues: ['deliveries'], concurrency: 4, timing: { lockMs: 1_500, stalledCheckMs: 500 } },
);
const forever = new AbortController().signal;
const plan = { eventsAtOnce: 100, inHandOfTarget: 2, lostAfterSeconds: 3 };
await Promise.all([
  runRelay({ database, queues, onFault }, forever),
  runNotificationPlan({ database, plan, everyMs: 100, onFault }, forever),
]);
