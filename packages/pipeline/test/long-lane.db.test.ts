import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { claimMessages } from '@dmarc-ledger/ledger';
import { present } from '@dmarc-ledger/vocabulary';
import { expect, it, vi } from 'vitest';
import { LongLane } from '../src/intake/long-lane.ts';
import { openDelivery } from '../src/intake/open-delivery.ts';
import { storeApart } from '../src/intake/store-deliveries.ts';
import { archiveOf, openIntake } from './taken-in.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** A lane in which another organization's delivery is being stored until `open` is called. */
function busyLane(faults: string[]) {
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const lane = new LongLane((error) => faults.push(String(error)));
  lane.begin('another', () => gate);
  return { lane, open };
}

it('a long delivery that waits for its turn keeps nothing of what was opened in memory', async () => {
  await using intake = await openIntake();
  const { needs, orgId, faults } = intake;
  await intake.handIn(archiveOf(120));
  const { lane, open } = busyLane(faults);
  const wait = async () => {
    const [message] = await claimMessages(needs.database.db, orgId, await needs.claimant.name(), 1);
    const delivery = await openDelivery(needs.blobs, present(message));
    await storeApart({ ...needs, lane }, orgId, delivery);
    return new WeakRef(delivery);
  };
  const opened = await wait();
  await vi.waitFor(() => {
    collectGarbage();
    expect(opened.deref() === undefined).toBe(true);
  });
  open();
  await vi.waitFor(async () => expect((await intake.deliveries())[0]?.state).toBe('stored'));
  await lane.close();
  expect(faults).toEqual([]);
});
