import { EventEmitter } from 'node:events';
import {
  assertSchemaCompatibility,
  createPostgresBackend,
  LATEST_SCHEMA_VERSION,
  runMigrations,
  SchemaMigrationRequiredError,
  withBackend,
  type Queue,
  type Worker,
} from 'bullmq';
import { Connection, GradualPool, KEEP_ALIVE, SERVER_KEEP_ALIVE } from '@dmarc-ledger/schema';
import pg from 'pg';
import type { Backend } from './backend.ts';
import { QueueError } from './errors.ts';
import type { OnQueueError } from './log.ts';

const CONNECTIONS = 16; // each served queue holds one of them to listen
const CONNECT_MS = 5_000;
const ANSWER_MS = 60_000; // for a server that is gone without a word
const SCHEMA = 'bullmq';
const LONGEST_WAIT_SECONDS = 5;

/**
 * PostgreSQL may end a connection right after its answer. Reported at once, the end would come before the answer has
 * reached its query, and BullMQ would continue to listen on a connection that it has given up.
 */
class QueueConnection extends Connection {
  override emit(...event: Parameters<EventEmitter['emit']>): boolean {
    if (event[0] !== 'error') return EventEmitter.prototype.emit.apply(this, event);
    setImmediate(() => EventEmitter.prototype.emit.apply(this, event));
    return true;
  }
}

/** A waiting worker checks for work itself after a while: BullMQ alone waits for up to an hour after a fault. */
const createBackend: typeof createPostgresBackend = (...args) =>
  Object.defineProperty(createPostgresBackend(...args), 'maximumBlockTimeout', { value: LONGEST_WAIT_SECONDS });

/** BullMQ in the application's own database, in a schema of its own, on one small pool. */
export async function openPostgresBackend(url: string, onError: OnQueueError): Promise<Backend> {
  await migrateQueues(url).catch(refuse);
  const connection = new GradualPool({
    Client: QueueConnection,
    connectionString: url,
    max: CONNECTIONS,
    connectionTimeoutMillis: CONNECT_MS,
    application_name: 'dmarc-ledger-queues',
    options: `-c search_path=${SCHEMA} -c timezone=UTC ${SERVER_KEEP_ALIVE}`,
    query_timeout: ANSWER_MS,
    ...KEEP_ALIVE,
  });
  connection.setMaxListeners(0); // each queue and worker listens for its own faults
  connection.on('error', (error) => onError('postgres', error));
  // a borrowed connection reports it by a query
  connection.on('connect', (client) => client.on('error', () => undefined));
  const bullmq = withBackend(createBackend);
  return {
    // The classes are the same, on another store: only the type of their connection differs.
    openQueue: (name) => new bullmq.Queue(name, { connection }) as unknown as Queue,
    openWorker: (name, process, options) =>
      new bullmq.Worker(name, process, { ...options, autorun: false, connection }) as unknown as Worker,
    // BullMQ queries the version of its tables once, and a failed answer fails every later call
    ready: async (opened) => void (await opened.waitUntilReady().catch(refuse)),
    // keeping a number of jobs deadlocks on this store: finished jobs go at once, failed ones are cleaned by age
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

/**
 * Creates or updates BullMQ's tables; concurrent processes wait for the first, and find it done. Tables that are up to
 * date are only read: BullMQ's own migration would lock them alone at each start.
 */
export async function migrateQueues(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_MS });
  client.on('error', () => {}); // a query that fails says so itself
  await client.connect();
  try {
    if (!(await isUpToDate(client))) await runMigrations(client, SCHEMA);
  } finally {
    await client.end();
  }
}

async function isUpToDate(client: pg.Client): Promise<boolean> {
  try {
    return (await assertSchemaCompatibility(client, SCHEMA)) >= LATEST_SCHEMA_VERSION;
  } catch (error) {
    if (error instanceof SchemaMigrationRequiredError) return false;
    throw error;
  }
}

function refuse(cause: Error): never {
  throw new QueueError('queue_unavailable', `The queues in PostgreSQL cannot be used now: ${cause.message}`, { cause });
}
