import { EventEmitter } from 'node:events';
import { createPostgresBackend, runMigrations, withBackend, type Queue, type Worker } from 'bullmq';
import pg from 'pg';
import type { Backend } from './backend.ts';
import { QueueError } from './errors.ts';
import type { OnQueueError } from './log.ts';

const CONNECTIONS = 16; // each queue that is served holds one of them to listen
const CONNECT_MS = 5_000;
const ANSWER_MS = 60_000; // to a server that is gone without a word
const SERVER_KEEP_ALIVE = '-c tcp_keepalives_idle=30 -c tcp_keepalives_interval=10 -c tcp_keepalives_count=3';
const SCHEMA = 'bullmq';
const LONGEST_WAIT_SECONDS = 5;

/**
 * PostgreSQL may end a connection in the same breath as it answers. Told at once, the end would come before the answer
 * has reached whoever waits for it, and BullMQ would go on to listen on a connection that it was told to forget.
 */
class Connection extends pg.Client {
  override emit(...event: Parameters<EventEmitter['emit']>): boolean {
    if (event[0] !== 'error') return EventEmitter.prototype.emit.apply(this, event);
    setImmediate(() => EventEmitter.prototype.emit.apply(this, event));
    return true;
  }
}

/**
 * Whoever waits for work looks for himself after a while: left to itself, BullMQ waits for up to an hour after a fault.
 */
const createBackend: typeof createPostgresBackend = (...args) =>
  Object.defineProperty(createPostgresBackend(...args), 'maximumBlockTimeout', { value: LONGEST_WAIT_SECONDS });

/** BullMQ in the application's own database, in a schema of its own, on one small pool. */
export async function openPostgresBackend(url: string, onError: OnQueueError): Promise<Backend> {
  await migrateQueues(url).catch(refuse);
  const connection = new pg.Pool({
    Client: Connection,
    connectionString: url,
    max: CONNECTIONS,
    connectionTimeoutMillis: CONNECT_MS,
    application_name: 'dmarc-ledger-queues',
    options: `-c search_path=${SCHEMA} -c timezone=UTC ${SERVER_KEEP_ALIVE}`,
    query_timeout: ANSWER_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: 30_000,
  });
  connection.setMaxListeners(0); // every queue and worker listens for its faults
  connection.on('error', (error) => onError('postgres', error));
  // who has borrowed it hears of it by a query
  connection.on('connect', (client) => client.on('error', () => undefined));
  const bullmq = withBackend(createBackend);
  return {
    // The classes are the same ones, on another store: only the type of their connection differs.
    openQueue: (name) => new bullmq.Queue(name, { connection }) as unknown as Queue,
    openWorker: (name, process, options) =>
      new bullmq.Worker(name, process, { ...options, autorun: false, connection }) as unknown as Worker,
    // BullMQ asks for the version of its tables once, and an answer that failed to come fails all that is asked later
    ready: async (opened) => void (await opened.waitUntilReady().catch(refuse)),
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

function refuse(cause: Error): never {
  throw new QueueError('queue_unavailable', `The queues in PostgreSQL cannot be used now: ${cause.message}`, { cause });
}
