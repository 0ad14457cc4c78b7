import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { openBlobs, type BlobStore } from '@dmarc-ledger/blobs';
import {
  countUnfinished,
  createOrganization,
  findDrift,
  findMessage,
  openClaimant,
  openDimensions,
  type Retention,
} from '@dmarc-ledger/ledger';
import type { Database } from '@dmarc-ledger/schema';
import { publicSuffixDomains } from '@dmarc-ledger/dmarc';
import type { Ask } from '@dmarc-ledger/dns-records';
import { openQueues, servableQueues, type Queues } from '@dmarc-ledger/queues';
import { cloneDatabase, redisServer, type ClonedDatabase, type RedisServer } from '@dmarc-ledger/testkit';
import {
  type Pace,
  receiveMessages,
  runIntake,
  runRelay,
  runSweep,
  RecentReports,
  workHandlers,
  type NotificationNeeds,
  type Outside,
  type ZoneWatch,
} from '../src/index.ts';

export type BackendName = 'Postgres' | 'Redis';

/** The whole write side on a database of its own: intake, relay, workers and sweep, as the services run them. */
export interface Ledger extends AsyncDisposable {
  database: ClonedDatabase;
  databaseUrl: string;
  blobs: BlobStore;
  orgId: string;
  redis: RedisServer | undefined;
  queues: Queues;
  faults: string[];
  /** Receives bytes, one delivery each, and returns their ids. */
  handIn(...bytes: Buffer[]): Promise<string[]>;
  /** Waits until nothing is left to do. */
  settled: () => Promise<void>;
  /** Stops intake; from now on only the test reads deliveries. */
  stopIntake(): Promise<void>;
  /** Rows of rollups that differ from what they are computed from. */
  drift(): Promise<number>;
  stateOf(id: string): Promise<string | undefined>;
  /** The same ledger, and another organization in it, with which disposing does nothing. */
  another(): Promise<Ledger>;
}

type Place = Pick<Ledger, 'blobs' | 'orgId'> & { database: Database };

export async function receive({ database, blobs, orgId }: Place, ...contents: Buffer[]): Promise<string[]> {
  const arrivals = contents.map((content) => ({ content, source: 'file' as const, name: null }));
  return (await receiveMessages({ database, blobs }, orgId, arrivals)).map(({ id }) => id);
}

export async function settled({ database: { db }, orgId }: Place): Promise<void> {
  while ((await countUnfinished(db, orgId)) > 0) await sleep(100);
}

export async function driftOf({ database, orgId }: Place): Promise<number> {
  return (await findDrift(database, orgId)).reduce((sum, { rows }) => sum + rows, 0);
}

export interface LedgerOutside {
  outside?: Outside;
  zones?: ZoneWatch;
  askDns?: (signal: AbortSignal) => Ask;
  notifying?: Omit<NotificationNeeds, 'database'>;
  retention?: Retention;
  pace?: Pace;
  /** In place of a folder. */
  blobs?: BlobStore;
}

export async function openLedger(
  backend: BackendName,
  openThe?: (needs: { database: Database }) => LedgerOutside,
): Promise<Ledger> {
  const database = await cloneDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'dmarc-ledger-blobs-'));
  const redis = backend === 'Redis' ? await redisServer() : undefined;
  const queues = await openQueues({ databaseUrl: database.socketUrl, redisUrl: redis?.url });
  const { id: orgId } = await createOrganization(database.db, { name: 'Org' });
  const opened = openThe?.({ database });
  const blobs = opened?.blobs ?? (await openBlobs(pathToFileURL(folder).href));
  const faults: string[] = [];
  const onFault = (message: string, error: unknown) => void faults.push(`${message} ${String(error)}`);
  const ending = new AbortController();
  const claimant = openClaimant(database);
  const dimensions = openDimensions(database);
  const recent = new RecentReports();
  const handlers = workHandlers({
    database,
    blobs,
    dimensions,
    organizationalDomain: publicSuffixDomains(),
    outside: opened?.outside,
    askDns: opened?.askDns,
    notifying: opened?.notifying,
    retention: opened?.retention,
    pace: opened?.pace,
    recent,
  });
  await queues.work(handlers, { concurrency: 4, queues: servableQueues(handlers) });
  const takingIn = new AbortController();
  const intake = runIntake(
    { database, blobs, claimant, dimensions, recent, onFault },
    AbortSignal.any([ending.signal, takingIn.signal]),
  );
  const running = [
    intake,
    runRelay({ database, queues, onFault }, ending.signal),
    runSweep({ database, staleAfterSeconds: 3, everyMs: 500, onFault }, ending.signal),
  ];
  const ledgerOf = (organization: string): Ledger => {
    const place = { database, blobs, orgId: organization };
    return {
      ...place,
      databaseUrl: database.url,
      redis,
      queues,
      faults,
      handIn: (...contents) => receive(place, ...contents),
      settled: () => settled(place),
      drift: () => driftOf(place),
      async stopIntake() {
        takingIn.abort();
        await intake;
      },
      stateOf: async (id) => (await findMessage(database.db, organization, id))?.state,
      another: async () => ledgerOf((await createOrganization(database.db, { name: randomUUID() })).id),
      [Symbol.asyncDispose]: async () => {},
    };
  };
  return {
    ...ledgerOf(orgId),
    async [Symbol.asyncDispose]() {
      ending.abort();
      await Promise.all(running);
      await queues.close();
      await opened?.zones?.close();
      claimant.release();
      await database[Symbol.asyncDispose]();
      await redis?.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
