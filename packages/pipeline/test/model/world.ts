import type { BlobStore } from '@dmarc-ledger/blobs';
import { findEnrichments } from '@dmarc-ledger/facts';
import {
  type Claimant,
  createOrganization,
  openClaimant,
  openDimensions,
  type OutboxEntry,
  requeueDeliveries,
  reannounceStale,
  rebuildRollups,
  relayOutbox,
  releaseDeadClaims,
  removeReports,
  saveFacts,
} from '@dmarc-ledger/ledger';
import { type Database, isStorageFailure, transact } from '@dmarc-ledger/schema';
import { publicSuffixDomains } from '@dmarc-ledger/dmarc';
import { sql } from 'kysely';
import { receiveMessages, takeIn, workHandlers } from '../../src/index.ts';
import type { Actor } from './interleaving.ts';
import { Killed } from './interleaving.ts';
import type { Random } from './random.ts';
import { COPIES, REPORTS, worldReports, type WorldReports } from './reports.ts';

/** One organization, the deliveries it received, and what may happen to it. */
export class World {
  readonly reports: WorldReports;
  readonly delivered = new Map<number, Map<number, Buffer>>();
  /** Reports were deleted: which ones must exist is unknown, only that all tables agree. */
  isPurged = false;
  readonly orgId: string;
  readonly #blobs: BlobStore;

  constructor(number: number, orgId: string, blobs: BlobStore) {
    this.reports = worldReports(number);
    this.orgId = orgId;
    this.#blobs = blobs;
  }

  static async make({ db }: Database, number: number, blobs: BlobStore): Promise<World> {
    return new World(number, (await createOrganization(db, { name: `World ${number}` })).id, blobs);
  }

  async deliver(database: Database, random: Random): Promise<void> {
    const [report, copy] = [random.below(REPORTS), random.below(COPIES)];
    const content = this.reports.copy(report, copy);
    this.delivered.set(report, (this.delivered.get(report) ?? new Map<number, Buffer>()).set(copy, content));
    await this.#receive(database, content);
  }

  async #receive(database: Database, content: Buffer): Promise<void> {
    const arrival = { content, source: 'file' as const, name: null };
    await receiveMessages({ database, blobs: this.#blobs }, this.orgId, [arrival]);
  }

  /** Reads deliveries, in a process that may end at any statement. */
  async takeIn(database: Database): Promise<void> {
    const claimant: Claimant = openClaimant(database);
    try {
      const dimensions = openDimensions(database.db);
      await takeIn({ database, blobs: this.#blobs, claimant, dimensions, onFault: () => undefined }, null);
    } finally {
      claimant.release();
    }
  }

  /** Does one announced job, if there is one: a job that ends midway is lost, as when its worker ends. */
  async work(database: Database, most = 1): Promise<number> {
    const jobs: OutboxEntry[] = [];
    await relayOutbox(database, most, async (entries) => {
      jobs.push(...entries);
    });
    const handlers = workHandlers({
      database,
      blobs: this.#blobs,
      dimensions: openDimensions(database.db),
      organizationalDomain: publicSuffixDomains(),
    }) as unknown as { [job: string]: (payload: unknown, ending: AbortSignal) => Promise<void> };
    for (const { job, payload } of jobs) await handlers[job]?.(payload, new AbortController().signal);
    return jobs.length;
  }

  /** Stores a finding about an address. */
  async enrich(database: Database, random: Random): Promise<void> {
    const [first = '', ...others] = this.reports.addresses;
    const address = random.pick([first, ...others]);
    const [before] = await findEnrichments(database.db, [address]);
    if (!before) return; // no job has processed it yet
    const facts = random.pick([
      { abuse_score: 100 },
      { abuse_score: 0 },
      { ptr_state: 'confirmed' as const, hostname: 'lists.forwarder.example' },
      { ptr_state: 'confirmed' as const, hostname: 'mail-lj1-f41.google.com' },
    ]);
    const row = { ...before, ...facts, enriched_at: before.enriched_at ?? new Date() };
    await transact(database, (session) => saveFacts(session, [{ row, isChanged: true }]));
  }

  /** Replays everything; before that, some of it is changed as if an older version had read it. */
  async replay(database: Database, random: Random): Promise<void> {
    const change = random.pick([
      sql`set metadata = metadata || '{"reporterName": "As it was read then"}'`,
      sql`set identity = decode(md5(id::text), 'hex')`,
      sql`set metadata = metadata`,
    ]);
    const changed = random.below(3);
    await transact(database, async (session) => {
      const { db } = session;
      const ids = async (table: 'raw_message' | 'report') =>
        (await db.selectFrom(table).select('id').where('org_id', '=', this.orgId).execute()).map(({ id }) => id);
      const reportIds = (await ids('report')).toSorted();
      await sql`
        update report ${change} where org_id = ${this.orgId} and id = any(${reportIds.slice(0, changed)}::uuid[])`.execute(
        db,
      );
      await requeueDeliveries(session, this.orgId, { messageIds: await ids('raw_message'), reportIds });
    });
  }

  async purge(database: Database): Promise<void> {
    this.isPurged = true;
    await transact(database, (session) => removeReports(session, this.orgId, new Date()), { unlimited: true });
  }

  async repair(database: Database): Promise<void> {
    await rebuildRollups(database, this.orgId);
  }

  /** Finishes all that was begun, without other actors. */
  async settle(database: Database, isDone: () => Promise<boolean>): Promise<void> {
    for (const copies of this.delivered.values())
      // a sender without a confirmation sends again
      for (const content of copies.values()) await this.#receive(database, content);
    for (let round = 0; round < 100; round += 1) {
      try {
        await releaseDeadClaims(database.db);
        await this.takeIn(database);
        await reannounceStale(database, 0, 500);
        while ((await this.work(database, 50)) > 0);
        if (await isDone()) return;
      } catch (error) {
        if (!isStorageFailure(error)) throw error; // a busy machine: the services try again as well
      }
    }
    throw new Error('The ledger does not come to rest.');
  }
}

/** An actor may be ended at any point; a conflict with another actor is tried again later. */
export async function step(actor: Actor, act: (database: Database) => Promise<unknown>): Promise<void> {
  actor.isDead = false;
  try {
    await act(actor.database);
  } catch (error) {
    if (!(error instanceof Killed) && !actor.isDead && !isStorageFailure(error)) throw error;
  }
}
