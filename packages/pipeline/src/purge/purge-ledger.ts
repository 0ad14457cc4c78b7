import {
  countBytes,
  countDeliveries,
  countOthers,
  countReports,
  type Cutoffs,
  type OtherKind,
  purgeBytes,
  type PurgedBytes,
  removeDeliveries,
  removeDetails,
  type RemovedOthers,
  type RemovedReports,
  removeOthers,
  removeReports,
} from '@dmarc-ledger/ledger';
import { type Database, transact } from '@dmarc-ledger/schema';
import { failPoint, keysOf } from '@dmarc-ledger/vocabulary';

/** What was deleted of an organization, or would be. */
export interface Purged extends RemovedReports, RemovedOthers {
  deliveries: number;
  /**
   * Deliveries whose bytes were deleted, and the sum of those bytes, including deliveries that were deleted entirely.
   */
  raw: PurgedBytes;
}

/** The rows that are old enough, by kind. */
const BEFORE: { [Kind in OtherKind]: (cutoffs: Cutoffs) => Date | null } = {
  tlsrpt: ({ facts }) => facts,
  aprf: ({ facts }) => facts,
  failureReports: ({ failureReports }) => failureReports,
  events: ({ facts }) => facts,
  eventConditions: ({ conditions }) => conditions,
  domainChanges: ({ facts }) => facts,
  selectors: ({ facts }) => facts,
  subdomains: ({ facts }) => facts,
  usageHours: ({ usage }) => usage,
};
const KINDS = keysOf(BEFORE);

/**
 * Deletes the rows of an organization that are older than the cutoffs, in batches, each a transaction that keeps every
 * figure right. May be ended at any point and run again, beside other purges and intake. `goOn` is called after each
 * batch; once it returns false, nothing more is deleted.
 */
export async function purgeLedger(
  database: Database,
  orgId: string,
  cutoffs: Cutoffs,
  goOn: () => Promise<boolean> | boolean = () => true,
): Promise<Purged> {
  const purged = nothingPurged();
  const { facts, raw } = cutoffs;
  let isEnded = false;
  const again = async (batch: () => Promise<number>) => {
    while (!isEnded && (await batch()) > 0) {
      isEnded = !(await goOn());
      if (!isEnded) await failPoint('F17');
    }
  };
  if (facts)
    await again(async () => {
      const removed = await transact(database, (session) => removeReports(session, orgId, facts), { unlimited: true });
      for (const what of ['reports', 'records', 'messages'] as const) purged[what] += removed[what];
      return removed.reports;
    });
  if (facts) await again(() => transact(database, (session) => removeDetails(session, orgId, facts)));
  if (raw)
    await again(async () => {
      const { deliveries, bytes } = await transact(database, ({ db }) => purgeBytes(db, orgId, raw));
      purged.raw.deliveries += deliveries;
      purged.raw.bytes += bytes;
      return deliveries;
    });
  if (facts)
    await again(async () => {
      const removed = await transact(database, ({ db }) => removeDeliveries(db, orgId, facts));
      purged.deliveries += removed;
      return removed;
    });
  for (const kind of KINDS) {
    const before = BEFORE[kind](cutoffs);
    if (!before) continue;
    await again(async () => {
      const removed = await transact(database, ({ db }) => removeOthers(db, orgId, kind, before));
      purged[kind] += removed;
      return removed;
    });
  }
  return purged;
}

/** What `purgeLedger` would delete now. Changes nothing. */
export async function previewPurge({ db }: Database, orgId: string, cutoffs: Cutoffs): Promise<Purged> {
  const purged = nothingPurged();
  const { facts, raw } = cutoffs;
  if (facts) {
    Object.assign(purged, await countReports(db, orgId, facts));
    purged.deliveries = await countDeliveries(db, orgId, facts);
  }
  if (raw) purged.raw = await countBytes(db, orgId, raw);
  for (const kind of KINDS) {
    const before = BEFORE[kind](cutoffs);
    if (before) purged[kind] = await countOthers(db, orgId, kind, before);
  }
  return purged;
}

function nothingPurged(): Purged {
  const others = {
    tlsrpt: 0,
    aprf: 0,
    failureReports: 0,
    events: 0,
    eventConditions: 0,
    domainChanges: 0,
    selectors: 0,
    subdomains: 0,
    usageHours: 0,
  };
  return { reports: 0, records: 0, messages: 0, ...others, deliveries: 0, raw: { deliveries: 0, bytes: 0 } };
}
