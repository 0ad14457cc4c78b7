import { createPostgresBackend, runMigrations, withBackend, type Queue, type Worker } from 'bullmq';
import pg from 'pg';
import type { Backend } from './backend.ts';
import { tellError, type QueueLog } from './log.ts';

const CONNECTIONS = 16; // each queue that is served holds one of them to listen
const CONNECT_MS = 5_000;
const SCHEMA = 'bullmq';

/** BullMQ in the application's own database, in a schema of its own, on one small pool. */
export async function openPostgresBackend(url: string, log: QueueLog): Promise<Backend> {
  await migrateQueues(url);
  const connection = new pg.Pool({
    connectionString: url,
    max: CONNECTIONS,
    connectionTimeoutMillis: CONNECT_MS,
    application_name: 'dmarc-ledger-queues',
    options: `-c search_path=${SCHEMA} -c timezone=UTC`,
    keepAlive: true,
  });
  connection.setMaxListeners(0); // every queue and worker listens for its faults
  connection.on('error', (error) => tellError(log, 'postgres', error));
  connection.on('connect', (client) => client.on('error', () => undefined)); // who has borrowed it hears of it by a query
  const bullmq = withBackend(createPostgresBackend);
  return {
    // The classes are the same ones, on another store: only the type of their connection differs.
    openQueue: (name) => new bullmq.Queue(name, { connection }) as unknown as Queue,
    openWorker: (name, process, options) =>
      new bullmq.Worker(name, process, { ...options, connection }) as unknown as Worker,
    // keeping the last so many deadlocks on this store: what is done goes at once, what failed is cleaned by age
    keep: { removeOnComplete: true, removeOnFail: false },
    isUp: () =>
      connection.query('select 1').then(
        () => true,
        () => false,
      ),
    whyDown: () => undefined,
    close: () => connection.end(),
  };
}

/** Creates or updates BullMQ's tables; those who come at the same time wait for the first, and find it done. */
export async function migrateQueues(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_MS });
  client.on('error', () => {}); // a query that fails says so itself
  await client.connect();
  try {
    await runMigrations(client, SCHEMA);
  } finally {
    await client.end();
  }
}
