import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { claimMessages, createOrganization, openClaimant } from '@dmarc-ledger/ledger';
import { reportXml } from '@dmarc-ledger/testkit';
import { present } from '@dmarc-ledger/vocabulary';
import { expect, it, vi } from 'vitest';
import { takeIn } from '../src/index.ts';
import type { IntakeNeeds } from '../src/intake/intake-needs.ts';
import { LongLane } from '../src/intake/long-lane.ts';
import { openDelivery } from '../src/intake/open-delivery.ts';
import { storeApart } from '../src/intake/store-deliveries.ts';
import { archiveOf, openIntake, PATIENCE } from './taken-in.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** A lane in which another organization's delivery is being stored until `open` is called. */
function busyLane(faults: string[]) {
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const lane = new LongLane((error) => faults.push(String(error)));
  lane.begin('another', () => gate);
  return { lane, open };
}

/** As many deliveries of an organization wait as may. */
async function fill(lane: LongLane, orgId: string): Promise<void> {
  const nothing = () => Promise.resolve();
  while (!lane.isFull(orgId)) await lane.enter(orgId, { work: nothing, giveUp: nothing });
}

/** Takes turns until nothing is left to claim, as an ingester does, but never for ever. */
async function takeTurns(needs: IntakeNeeds): Promise<void> {
  let after: string | null = null;
  for (let turns = 0; turns < 12; turns += 1) {
    after = await takeIn(needs, after);
    if (after === null) return;
  }
  throw new Error('The turns do not end.');
}

it('long deliveries beyond those that may wait do not stop small ones, and are stored when fewer wait', async () => {
  await using intake = await openIntake();
  const { needs, orgId, faults } = intake;
  const { id: quiet } = await createOrganization(needs.database.db, { name: 'Quiet' });
  const { lane, open } = busyLane(faults);
  await fill(lane, orgId);
  for (const name of ['a', 'b', 'c']) await intake.handIn(archiveOf(60, name));
  for (const org of [orgId, quiet]) await intake.handIn(reportXml({ id: 'small' }), 'file', org);
  const states = async (org = orgId) => (await intake.deliveries(org)).map(({ state }) => state);

  await takeTurns({ ...needs, lane });
  expect([await states(), await states(quiet)]).toEqual([['received', 'received', 'received', 'stored'], ['stored']]);
  await intake.handIn(archiveOf(60, 'quiet'), 'file', quiet);
  await intake.handIn(reportXml({ id: 'later' }));
  await takeTurns({ ...needs, lane });
  expect((await states()).at(-1)).toBe('stored');
  expect((await states(quiet)).at(-1)).toBe('processing'); // it waits only for its turn

  open();
  await vi.waitFor(() => expect(lane.hasRoom(orgId)).toBe(true), PATIENCE);
  await takeTurns({ ...needs, lane });
  await vi.waitFor(
    async () => expect(new Set([...(await states()), ...(await states(quiet))])).toEqual(new Set(['stored'])),
    PATIENCE,
  );
  await lane.close();
  const rows = await needs.database.db.selectFrom('raw_message').select('attempts_started').execute();
  expect(new Set(rows.map(({ attempts_started }) => attempts_started))).toEqual(new Set([1]));
  expect(faults).toEqual([]);
});

it('another ingester stores at once what one has passed over', async () => {
  await using intake = await openIntake();
  const { needs, orgId, faults } = intake;
  await intake.handIn(archiveOf(60));
  const { lane, open } = busyLane(faults);
  await fill(lane, orgId);
  await takeTurns({ ...needs, lane });
  expect(await intake.deliveries()).toMatchObject([{ state: 'received' }]);
  const other = openClaimant(needs.database);
  await takeTurns({ ...needs, claimant: other });
  expect(await intake.deliveries()).toMatchObject([{ state: 'stored' }]);
  other.release();
  open();
  await lane.close();
});

it('a long delivery that waits for its turn keeps nothing of what was opened in memory', async () => {
  await using intake = await openIntake();
  const { needs, orgId, faults } = intake;
  await intake.handIn(archiveOf(120));
  const { lane, open } = busyLane(faults);
  const wait = async () => {
    const [message] = await claimMessages(needs.database.db, orgId, await needs.claimant.name(), 1);
    const delivery = await openDelivery(needs.blobs, present(message));
    await storeApart({ ...needs, lane }, orgId, { delivery, allowed: Infinity });
    return new WeakRef(delivery);
  };
  const opened = await wait();
  await vi.waitFor(() => {
    collectGarbage();
    expect(opened.deref() === undefined).toBe(true);
  }, PATIENCE);
  open();
  await vi.waitFor(async () => expect((await intake.deliveries())[0]?.state).toBe('stored'), PATIENCE);
  await lane.close();
  expect(faults).toEqual([]);
});
