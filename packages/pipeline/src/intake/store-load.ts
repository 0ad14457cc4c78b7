import { holdCutIds, requeueRepeats } from '@dmarc-ledger/ledger';
import { transact } from '@dmarc-ledger/schema';
import { failPoint, present } from '@dmarc-ledger/vocabulary';
import { endDeliveries } from './end-deliveries.ts';
import { knownContents } from './known-contents.ts';
import { finishedMessage } from './message-parts.ts';
import type { OpenedDelivery } from './open-delivery.ts';
import { readLoad } from './read-load.ts';
import { holdDoubted, reviewCopies } from './review-copies.ts';
import { keepStored, prepareLoad, storePrepared, type StoreNeeds } from './store-batches.ts';
import { holdNamed, holdRepeated, witnessRepeats } from './witness-repeats.ts';

/**
 * Stores several deliveries of one organization in one transaction: their reports, rollups, follow-up jobs, and how
 * each delivery ended. Content seen before is recognized by its hash and not parsed again.
 */
export async function storeLoad(needs: StoreNeeds, orgId: string, load: readonly OpenedDelivery[]): Promise<void> {
  const { database, blobs, observer } = needs;
  const documents = load.flatMap((delivery) => delivery.documents);
  const batches = load.map((delivery) => ({ delivery, documents: delivery.documents }));
  const known = await knownContents(database.db, orgId, documents);
  const read = await readLoad(batches, { known, taken: new Map() });
  const prepared = await prepareLoad(needs, orgId, read);
  await failPoint('F12');
  const finished = await transact(database, async (session) => {
    const copies = prepared.copies.map(({ copy }) => copy);
    await holdCutIds(session, orgId, copies); // before it locks reports
    await holdNamed(session, orgId, [...prepared.parts.values()].flat());
    const doubted = await holdDoubted(session, orgId, load);
    const held = await holdRepeated(session, orgId, prepared.repeats);
    const outcomes = await storePrepared(session, orgId, prepared);
    const endings = load.map((delivery) => finishedMessage(delivery, outcomes.get(delivery) ?? []));
    await endDeliveries(
      session,
      blobs,
      orgId,
      endings.map((ending, i) => ({ message: present(load[i]).message, ending })),
    );
    await requeueRepeats(session, orgId, prepared.held);
    await witnessRepeats(session, orgId, prepared.repeats, held);
    await reviewCopies(session, orgId, doubted);
    await failPoint('F13');
    return endings;
  });
  keepStored(needs, prepared);
  finished.forEach((ending, i) => {
    const { message, openedAt } = present(load[i]);
    observer?.finished({ ...ending, orgId, source: message.source, openedAt });
  });
}
