import {
  indexLongList,
  nextWaitingOrg,
  releaseDeadClaims,
  releaseHeld,
  takeFirstStatistics,
} from '@dmarc-ledger/ledger';
import { claimDeliveries } from './claim-deliveries.ts';
import type { IntakeNeeds } from './intake-needs.ts';
import { openClaimed } from './open-claimed.ts';
import { isLong, type OpenedDelivery } from './open-delivery.ts';
import { admitPassedOver } from './pass-over.ts';
import { putBackUnopened } from './put-back.ts';
import { recordsAllowed } from './record-allowance.ts';
import { storeApart, storeTogether } from './store-deliveries.ts';

const LOAD: NonNullable<IntakeNeeds['load']> = { deliveries: 200, bytes: 16 * 1024 ** 2 };
const TURN_MS = 20_000;

/**
 * Stores the oldest waiting deliveries of the next organization. Returns that organization, or null when nothing waits.
 * May run in any number of processes, and be killed at any instruction.
 */
export async function takeIn(needs: IntakeNeeds, after: string | null): Promise<string | null> {
  const { db } = needs.database;
  const { claimant, lane, load: most = LOAD, turnMs = TURN_MS, recordsADay } = needs;
  await admitPassedOver(needs);
  const orgId = await nextWaitingOrg(db, after, lane?.passedOver.size ? await claimant.name() : undefined);
  if (orgId === null) return null;
  const begun = performance.now();
  let allowed = await recordsAllowed(db, orgId, recordsADay);
  const readable = await claimDeliveries(needs, orgId, allowed);
  let load: OpenedDelivery[] = [];
  let bytes = 0;
  for (const [i, message] of readable.entries()) {
    if (i > 0 && (needs.stopping?.aborted || performance.now() - begun >= turnMs)) {
      await putBackUnopened(needs, orgId, readable.slice(i));
      break;
    }
    const delivery = await openClaimed(needs, orgId, message, allowed);
    if (!delivery) continue;
    if (isLong(delivery)) {
      await storeApart(needs, orgId, { delivery, allowed });
    } else {
      load.push(delivery);
      bytes += wholeBytes(delivery);
      if (load.length < most.deliveries && bytes < most.bytes) continue;
      await storeTogether(needs, orgId, load);
      load = [];
      bytes = 0;
    }
    allowed = await recordsAllowed(db, orgId, recordsADay).catch(() => allowed); // storing meets the same outage
  }
  await storeTogether(needs, orgId, load);
  await indexLongList(needs.database, orgId).catch((error: unknown) =>
    needs.onFault('The list of sources could not be indexed; it is sorted until then.', error),
  );
  return orgId;
}

function wholeBytes({ documents }: OpenedDelivery): number {
  return documents.reduce((sum, document) => sum + (document.kind === 'whole' ? document.bytes.length : 0), 0);
}

/**
 * Periodic upkeep of intake: releases deliveries of ingesters that are gone and held ones whose day has come, and takes
 * the first statistics of grown tables.
 */
export async function tendIntake({
  database: { db },
  claimant,
}: Pick<IntakeNeeds, 'database' | 'claimant'>): Promise<void> {
  await claimant.forgiveStarts();
  await releaseDeadClaims(db);
  await releaseHeld(db);
  await takeFirstStatistics(db);
}
