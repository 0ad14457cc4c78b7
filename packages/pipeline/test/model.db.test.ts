import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { openBlobs, type BlobStore } from '@dmarc-ledger/blobs';
import { countUnfinished, findDrift } from '@dmarc-ledger/ledger';
import { openDatabase } from '@dmarc-ledger/schema';
import { publicSuffixDomains } from '@dmarc-ledger/dmarc';
import { cloneDatabase, type ClonedDatabase } from '@dmarc-ledger/testkit';
import { Random, testSeed } from '@dmarc-ledger/testkit/random';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { auditJudgement, auditRaw } from '../src/index.ts';
import { Interleaving, type Actor } from './model/interleaving.ts';
import { differences } from './model/recompute.ts';
import { countedCopy } from './model/reports.ts';
import { step, World } from './model/world.ts';

const SEQUENCES = Number(process.env.MODEL_SEQUENCES ?? 8);
const SEED = testSeed();
const WORKERS = 2;
const KILLS = 2;

let database: ClonedDatabase;
let blobs: BlobStore;
let folder: string;
const interleaving = new Interleaving();
const opened: ReturnType<typeof openDatabase>[] = [];

beforeAll(async () => {
  database = await cloneDatabase();
  await sql`alter database ${sql.ref(new URL(database.url).pathname.slice(1))} set deadlock_timeout = '20ms'`.execute(
    database.db,
  );
  folder = await mkdtemp(join(tmpdir(), 'dmarc-ledger-model-'));
  blobs = await openBlobs(pathToFileURL(folder).href);
});
afterAll(async () => {
  for (const one of opened) await one.close();
  await database[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

function openActor(): Actor {
  const own = openDatabase(database.socketUrl, { connections: 4 });
  opened.push(own);
  return interleaving.admit(own);
}

/** Workers read deliveries and do jobs, while another actor changes the ledger. */
async function happen(world: World, random: Random, other: Actor, workers: readonly Actor[]): Promise<void> {
  const working = workers.map(async (worker) => {
    for (let steps = 8 + random.below(12); steps > 0; steps -= 1)
      await step(worker, (db) => (random.below(4) === 0 ? world.takeIn(db) : world.work(db, random.pick([1, 1, 4]))));
  });
  const happening = async () => {
    for (let steps = 6 + random.below(8); steps > 0; steps -= 1)
      await step(other, (db) => {
        const dice = random.below(29);
        if (dice < 9) return world.deliver(db, random);
        if (dice < 13) return world.enrich(db, random);
        if (dice < 16) return world.replay(db, random);
        if (dice < 17) return world.purge(db);
        if (dice < 18) return world.repair(db);
        if (dice < 20) return world.switchMode(db, random);
        if (dice < 22) return world.release(db);
        if (dice < 25) return world.decisions.decide(db, random);
        if (dice < 28) return world.decisions.lookAhead(db, random);
        return world.work(db);
      });
  };
  await Promise.all([...working, happening()]);
}

const inOrder = (names: readonly (string | undefined)[]) => names.toSorted((a = '', b = '') => (a < b ? -1 : 1));

/** What the tables say that does not follow from the records, and from the raw bytes. */
async function driftOf({ orgId, decisions }: World): Promise<string[]> {
  const { db } = database;
  const faults = [...(await differences(db, orgId)), ...(await decisions.faults(db))];
  for (const { table, rows } of await findDrift(database, orgId))
    if (rows > 0) faults.push(`audit finds ${rows} in ${table}`);
  const judged = await auditJudgement({ database, organizationalDomain: publicSuffixDomains() }, orgId);
  if (judged.differing > 0) faults.push(`${judged.differing} of ${judged.checked} records have another class`);
  const raw = await auditRaw({ database, blobs }, orgId, 100);
  if (raw.missing + raw.differing.length > 0) faults.push(`${raw.missing} missing, ${raw.differing.length} differ`);
  return faults;
}

/** The same, and the reports whose counted copy is another than the rules choose. */
async function faultsOf(world: World): Promise<string[]> {
  const { db } = database;
  const { orgId } = world;
  const faults = await driftOf(world);
  if (world.isPurged) return faults;
  const held = await db
    .selectFrom('report')
    .select(['payload_sha256', 'unauthenticated'])
    .where('org_id', '=', orgId)
    .execute();
  const text = (sha256: string, isUnauthenticated: boolean) => `${sha256} ${isUnauthenticated}`;
  const counted = held.map((row) => text(row.payload_sha256.toString('hex'), row.unauthenticated === true));
  const expected = (await world.competing(database)).flatMap((copies) => {
    const best = countedCopy(copies);
    return best ? [text(best.sha256, best.isUnauthenticated)] : [];
  });
  if (!isDeepStrictEqual(inOrder(counted), inOrder(expected)))
    faults.push(`counted ${counted.join()}, not ${expected.join()}`);
  return faults;
}

it(
  `keeps every sum exact whatever two workers, mails, replays, purges, repairs, decisions and ends of processes do at once (SEED=${SEED})`,
  { timeout: 60_000 + SEQUENCES * 30_000 },
  async () => {
    const other = openActor();
    const workers = Array.from({ length: WORKERS }, openActor);
    let statements = 0;
    let records = 0;
    for (let number = 0; number < SEQUENCES; number += 1) {
      const random = new Random(SEED + number);
      const world = await World.make(database, number, blobs);
      if (number % 2 === 1) await world.begin(database, random);
      interleaving.begin(random, KILLS);
      await happen(world, random, other, workers);
      statements += interleaving.end();
      const isDone = async () => (await countUnfinished(database.db, world.orgId)) === 0;
      await world.settle(database, isDone);
      expect(await driftOf(world), `SEED=${SEED + number} MODEL_SEQUENCES=1`).toEqual([]);
      await world.replayAll(database, isDone);
      expect(await faultsOf(world), `SEED=${SEED + number} MODEL_SEQUENCES=1`).toEqual([]);
      const { rows } = await sql<{ count: number }>`
        select count(*) as count from report_record where org_id = ${world.orgId}`.execute(database.db);
      records += rows[0]?.count ?? 0;
    }
    const { rows } = await sql<{ decisions: number; days: number }>`
      select (select count(*) from sender_decision_change) as decisions, (select count(*) from enforcement_day) as days`.execute(
      database.db,
    );
    const { decisions, days } = rows[0] ?? {};
    process.stdout.write(
      `model: ${SEQUENCES} sequences from seed ${SEED}, ${statements} statements interleaved, ${records} records, ` +
        `${decisions} decisions, ${days} days looked ahead\n`,
    );
    expect(records).toBeGreaterThan(SEQUENCES);
  },
);
