import { randomBytes } from 'node:crypto';
import {
  claimMessages,
  createOrganization,
  enterMessages,
  holdMessages,
  openClaimant,
  putBackMessage,
} from '@dmarc-ledger/ledger';
import { cloneDatabase, type ClonedDatabase } from '@dmarc-ledger/testkit';
import { newId } from '@dmarc-ledger/vocabulary';
import { afterEach, beforeEach, expect, it } from 'vitest';

let database: ClonedDatabase;
let orgId: string;

beforeEach(async () => {
  database = await cloneDatabase();
  ({ id: orgId } = await createOrganization(database.db, { name: 'Org' }));
  await addDelivery();
});
afterEach(() => database[Symbol.asyncDispose]());

async function addDelivery(): Promise<void> {
  await database.db
    .insertInto('raw_message')
    .values({ org_id: orgId, id: newId(), sha256: randomBytes(32), size: 1, source: 'file', name: null })
    .execute();
}

const claimedBy = async (claimant: number) => await claimMessages(database.db, orgId, claimant, 10);
const stored = async () =>
  await database.db
    .selectFrom('raw_message')
    .select(['state', 'attempts_started', 'claimed_by', 'code'])
    .executeTakeFirstOrThrow();

it('a delivery of which one start is forgiven twice is read all the same', async () => {
  const claimant = openClaimant(database);
  const [first] = await claimedBy(1_001);
  await putBackMessage(database.db, orgId, first!, false); // and the connection is lost before the answer comes
  claimant.forgiveStart(orgId, first!.id);
  const [second] = await claimedBy(1_002);
  await claimant.forgiveStarts();
  await putBackMessage(database.db, orgId, second!, false);

  expect(await stored()).toMatchObject({ state: 'received', attempts_started: 0 });
  expect(await claimedBy(1_001)).toMatchObject([{ attemptsStarted: 1, claimedBy: 1_001 }]);
});

it('a delivery that an earlier version left with less than no starts is read', async () => {
  await database.db.updateTable('raw_message').set({ attempts_started: -1 }).execute();
  expect(await claimedBy(1_001)).toHaveLength(1);
});

it('a delivery whose claim has passed on is neither put back nor held by who had it before', async () => {
  const [before] = await claimedBy(1_001);
  await database.db.updateTable('raw_message').set({ state: 'received', claimed_by: null }).execute();
  await claimedBy(1_002);

  await putBackMessage(database.db, orgId, before!, true);
  await holdMessages(database.db, orgId, [before!]);
  expect(await stored()).toEqual({ state: 'processing', attempts_started: 2, claimed_by: 1_002, code: null });
});

it('a delivery that its owner hands in as a file while it is read is not held', async () => {
  await database.db.updateTable('raw_message').set({ source: 'upload' }).execute();
  const [before] = await claimedBy(1_001);
  const { sha256 } = before!;
  await enterMessages(database.db, orgId, [{ sha256, size: 1, source: 'file', name: null }]);

  await holdMessages(database.db, orgId, [before!]);
  expect(await stored()).toEqual({ state: 'received', attempts_started: 0, claimed_by: null, code: null });
  expect(await claimedBy(1_002)).toMatchObject([{ source: 'file' }]);
});

it('what was being read when processes were killed is read again in turn, so that three kills end in no quarantine', async () => {
  await addDelivery();
  await addDelivery();
  const kill = () => database.db.updateTable('raw_message').set({ state: 'received', claimed_by: null }).execute();
  expect(await claimedBy(1_001)).toHaveLength(3);
  const ids: string[] = [];
  for (let killed = 0; killed < 3; killed += 1) {
    await kill();
    ids.push(...(await claimedBy(1_001)).map(({ id }) => id));
  }
  expect(new Set(ids).size).toBe(3);
});
