import type { BlobStore } from '@dmarc-ledger/blobs';
import { findEnrichments } from '@dmarc-ledger/facts';
import {
  type Claimant,
  createOrganization,
  openClaimant,
  openDimensions,
  requeueDeliveries,
  reannounceStale,
  rebuildRollups,
  relayOutbox,
  releaseDeadClaims,
  releaseReports,
  removeReports,
  saveFacts,
  setOrganization,
} from '@dmarc-ledger/ledger';
import { hash } from 'node:crypto';
import type { JobEntry } from '@dmarc-ledger/queues';
import { type Database, type Db, isStorageFailure, transact } from '@dmarc-ledger/schema';
import { publicSuffixDomains } from '@dmarc-ledger/dmarc';
import { sql } from 'kysely';
import { receiveMessages, takeIn, workHandlers, RecentReports } from '../../src/index.ts';
import { mergeWork } from '../../src/outbox/merge-work.ts';
import { Decisions } from './decisions.ts';
import type { Actor } from './interleaving.ts';
import { Killed } from './interleaving.ts';
import { type ClonedDatabase, reportMail } from '@dmarc-ledger/testkit';
import type { Random } from '@dmarc-ledger/testkit/random';
import { openMailbox, type TestMailbox } from '../mailboxes.ts';
import {
  type ArrivedCopy,
  COPIES,
  isDoubtful,
  REPORTS,
  SENT_WAYS,
  type Way,
  WAYS,
  worldReports,
  type WorldReports,
} from './reports.ts';

const SERVER = 'mx.ours.example';

function mailOf(xml: Buffer, way: Exclude<Way, 'file' | 'import'>): Buffer {
  const authenticationResults = way === 'unchecked' ? undefined : `${SERVER}; dmarc=${way}`;
  return reportMail({ xml, receivedAt: new Date('2026-01-05T00:00:00Z'), authenticationResults });
}

/** One organization, the deliveries it received, and what may happen to it. */
export class World {
  readonly reports: WorldReports;
  /** The ways of each copy, imports apart, by report. */
  readonly delivered = new Map<number, Map<string, { copy: number; ways: Set<Way> }>>();
  mode: 'count' | 'hold' = 'count';
  /** Reports were deleted: which ones must exist is unknown, only that all tables agree. */
  isPurged = false;
  readonly orgId: string;
  readonly decisions: Decisions;
  /** An import follows whatever report it was stored as, so an identity of an older version stays with it. */
  readonly #hasImports: boolean;
  readonly #blobs: BlobStore;
  /** In every other world judging does not read back what was just stored. */
  readonly #recent: RecentReports | undefined;

  readonly #mailbox: TestMailbox;

  constructor(number: number, { orgId, blobs, mailbox }: { orgId: string; blobs: BlobStore; mailbox: TestMailbox }) {
    this.#mailbox = mailbox;
    this.reports = worldReports(number);
    this.#hasImports = number % 3 !== 0;
    this.#recent = number % 2 === 0 ? new RecentReports() : undefined;
    this.orgId = orgId;
    this.decisions = new Decisions(orgId, this.reports.addresses[0] ?? '');
    this.#blobs = blobs;
  }

  static async make(database: ClonedDatabase, number: number, blobs: BlobStore): Promise<World> {
    const { id: orgId } = await createOrganization(database.db, { name: `World ${number}` });
    const mailbox = await openMailbox({ database, blobs, orgId }, { authservIds: [SERVER] });
    return new World(number, { orgId, blobs, mailbox });
  }

  /** Stores what has arrived before anything happens at once. */
  async begin(database: Database, random: Random): Promise<void> {
    for (let reports = 0; reports < 3; reports += 1) await this.deliver(database, random);
    await this.takeIn(database);
  }

  async deliver(database: Database, random: Random): Promise<void> {
    const [report, copy] = [random.below(REPORTS), random.below(COPIES)];
    const way = random.pick(this.#hasImports ? WAYS : SENT_WAYS);
    const copies = this.delivered.get(report) ?? new Map<string, { copy: number; ways: Set<Way> }>();
    const content = `${copy} ${way === 'import'}`;
    const ways = copies.get(content)?.ways ?? new Set();
    this.delivered.set(report, copies.set(content, { copy, ways: ways.add(way) }));
    await this.#receive(database, this.reports.copy(report, copy, way), way);
  }

  /** Counts or holds, from now on, what failing mail brings. */
  async switchMode(database: Database, random: Random): Promise<void> {
    await this.#setMode(database, random.pick(['count', 'hold'] as const));
  }

  async #setMode(database: Database, mode: 'count' | 'hold'): Promise<void> {
    await setOrganization(database, this.orgId, { unauthenticated: mode });
    this.mode = mode;
  }

  async release({ db }: Database): Promise<void> {
    await releaseReports(db, this.orgId, {});
  }

  /** The copies that count or compete, by report: all but those that are held. */
  async competing({ db }: Database): Promise<ArrivedCopy[][]> {
    const released = await db
      .selectFrom('raw_message')
      .select('sha256')
      .where('org_id', '=', this.orgId)
      .where('released_at', 'is not', null)
      .execute();
    const isReleased = (content: Buffer) =>
      released.some(({ sha256 }) => sha256.equals(hash('sha256', mailOf(content, 'fail'), 'buffer')));
    return [...this.delivered].map(([report, copies]) =>
      [...copies.values()]
        .map(({ copy, ways }) => ({ copy, ways, content: this.reports.copy(report, copy, [...ways][0] ?? 'file') }))
        .filter((copy) => this.mode === 'count' || !isDoubtful(copy) || isReleased(copy.content)),
    );
  }

  async #receive(database: Database, content: Buffer, way: Way): Promise<void> {
    if (way !== 'file' && way !== 'import') return await this.#mailbox.bring(mailOf(content, way));
    const arrival = { content, source: way, name: null, isReleased: way === 'import' };
    await receiveMessages({ database, blobs: this.#blobs }, this.orgId, [arrival]);
  }

  /** Reads deliveries, in a process that may end at any statement. */
  async takeIn(database: Database): Promise<void> {
    const claimant: Claimant = openClaimant(database);
    try {
      const dimensions = openDimensions(database);
      const needs = { database, blobs: this.#blobs, claimant, dimensions, recent: this.#recent };
      await takeIn({ ...needs, onFault: () => undefined }, null);
    } finally {
      claimant.release();
    }
  }

  /**
   * Does the work that was announced first, joined as the relay joins it: a job that ends midway is lost, as when its
   * worker ends.
   */
  async work(database: Database, most = 1): Promise<number> {
    const jobs: JobEntry[] = [];
    await relayOutbox(database, most, async (entries) => {
      jobs.push(...mergeWork(entries));
    });
    const handlers = workHandlers({
      database,
      blobs: this.#blobs,
      dimensions: openDimensions(database),
      organizationalDomain: publicSuffixDomains(),
      recent: this.#recent,
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
      this.#hasImports ? sql`set metadata = metadata` : sql`set identity = decode(md5(id::text), 'hex')`,
      sql`set metadata = metadata`,
    ]);
    const changed = random.below(3);
    await this.#requeue(database, async (db, reportIds) => {
      await sql`
        update report ${change} where org_id = ${this.orgId} and id = any(${reportIds.slice(0, changed)}::uuid[])`.execute(
        db,
      );
    });
  }

  async #requeue(database: Database, before: (db: Db, reportIds: readonly string[]) => Promise<void>): Promise<void> {
    await transact(database, async (session) => {
      const { db } = session;
      const ids = async (table: 'raw_message' | 'report') =>
        (await db.selectFrom(table).select('id').where('org_id', '=', this.orgId).execute()).map(({ id }) => id);
      const reportIds = (await ids('report')).toSorted();
      await before(db, reportIds);
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
    for (const [report, copies] of this.delivered)
      // a sender without a confirmation sends again
      for (const { copy, ways } of copies.values())
        for (const way of ways) await this.#receive(database, this.reports.copy(report, copy, way), way);
    await this.#rest(database, isDone);
  }

  /** Reads everything again, by which what is stored follows the mode. */
  async replayAll(database: Database, isDone: () => Promise<boolean>): Promise<void> {
    await this.#setMode(database, this.mode);
    await this.#requeue(database, () => Promise.resolve());
    await this.#rest(database, isDone);
  }

  async #rest(database: Database, isDone: () => Promise<boolean>): Promise<void> {
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
