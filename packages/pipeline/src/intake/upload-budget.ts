import {
  beginUpload,
  type Claimant,
  endUpload,
  enlargeUpload,
  type UploadKey,
  type UploadUse,
} from '@dmarc-ledger/ledger';
import type { Database } from '@dmarc-ledger/schema';
import { CodedError, newId } from '@dmarc-ledger/vocabulary';

/** The limits of one organization's uploads, counted for all processes together. Sizes in bytes. */
export interface UploadBudgetLimits {
  /** Uploads in progress. */
  atOnce: number;
  bytesUnderWay: number;
  /** In a UTC day, including repeated and refused bytes. */
  bytesADay: number;
  /** In a clock hour, including repeated ones. */
  deliveriesAnHour: number;
}

export const UPLOAD_BUDGET: UploadBudgetLimits = {
  atOnce: 100,
  bytesUnderWay: 4 * 1024 ** 3,
  bytesADay: 5_000_000_000,
  deliveriesAnHour: 20_000,
};

/** Reserved for an upload of unknown length, and again each time it exceeds that. */
const STEP = 16 * 1024 ** 2;
const SOON_S = 5;
const HOUR_S = 3_600;
const DAY_S = 86_400;

/** An organization exceeds a limit of its uploads. */
export class UploadBudgetError extends CodedError<'uploads_at_once' | 'upload_bytes' | 'upload_deliveries'> {
  override readonly retryable = true;
  /** When to try again. */
  readonly afterSeconds: number;

  constructor(code: UploadBudgetError['code'], message: string, afterSeconds: number) {
    super(code, message);
    this.afterSeconds = afterSeconds;
  }
}

/** The reservation of one upload. */
interface UploadShare {
  /** Counts received bytes. Throws an `UploadBudgetError` when they exceed the limits. */
  took(bytes: number): Promise<void>;
  /** Counts a delivery of the upload. */
  delivered(): void;
  close(): Promise<void>;
}

export interface UploadBudget {
  /** Begins an upload of that many bytes; null when its length is unknown. */
  open(orgId: string, length: number | null): Promise<UploadShare>;
}

/** Opens the budget of uploads, kept in the database so that it holds for any number of ingesters. */
export function openUploadBudget(
  { database, claimant }: { database: Database; claimant: Claimant },
  limits: UploadBudgetLimits = UPLOAD_BUDGET,
): UploadBudget {
  /** Uploads that ended while the database was down; the next upload that begins ends them. */
  const unended = new Set<() => Promise<void>>();
  return {
    async open(orgId, length) {
      await endAll(unended);
      const key = { orgId, id: newId() };
      const bytes = length ?? STEP;
      await beginUpload(database, key, { claimant: await claimant.name(), bytes }, (use) => refuse(limits, use, bytes));
      return shareOf({ database, limits, unended }, key, bytes);
    },
  };
}

/** Stops at the first failure: it concerns none of the uploads that begin. */
async function endAll(unended: Iterable<() => Promise<void>>): Promise<void> {
  try {
    for (const end of unended) await end();
  } catch {
    // the next upload tries again
  }
}

function shareOf(
  { database, limits, unended }: { database: Database; limits: UploadBudgetLimits; unended: Set<() => Promise<void>> },
  key: UploadKey,
  begun: number,
): UploadShare {
  let setAside = begun;
  let bytes = 0;
  let deliveries = 0;
  const end = async () => {
    await endUpload(database, key, { bytes, deliveries });
    unended.delete(end);
  };
  return {
    async took(more) {
      bytes += more;
      if (bytes <= setAside) return;
      const enlarged = bytes + STEP;
      await enlargeUpload(database, key, enlarged, (use) => refuse(limits, use, enlarged));
      setAside = enlarged;
    },
    delivered: () => void (deliveries += 1),
    close: () => end().catch(() => void unended.add(end)),
  };
}

/** Throws when an upload of so many bytes exceeds the limits, given the current use. */
function refuse(limits: UploadBudgetLimits, use: UploadUse, bytes: number): void {
  const { underWay, bytesUnderWay, bytesToday, deliveriesThisHour } = use;
  if (underWay >= limits.atOnce)
    throw new UploadBudgetError('uploads_at_once', `${underWay} uploads are under way.`, SOON_S);
  if (deliveriesThisHour >= limits.deliveriesAnHour)
    throw new UploadBudgetError('upload_deliveries', `${deliveriesThisHour} deliveries this hour.`, restOf(HOUR_S));
  if (bytesToday + bytesUnderWay + bytes > limits.bytesADay)
    throw new UploadBudgetError('upload_bytes', `${bytesToday} bytes received today.`, restOf(DAY_S));
  if (bytesUnderWay + bytes > limits.bytesUnderWay)
    throw new UploadBudgetError('upload_bytes', `${bytesUnderWay} bytes are under way.`, SOON_S);
}

/** Seconds to the end of this hour or day (UTC). */
function restOf(seconds: number): number {
  return seconds - Math.floor((Date.now() / 1000) % seconds);
}
