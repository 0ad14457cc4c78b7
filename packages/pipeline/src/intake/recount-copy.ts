import { noSums } from '@dmarc-ledger/dmarc';
import { type Dimensions, type HeldReport, type HeldRevision, recountReport } from '@dmarc-ledger/ledger';
import type { Session } from '@dmarc-ledger/schema';
import { makeCopy, placeHeaders, summing } from './report-copy.ts';
import type { Reread } from './reread-copy.ts';

/** A copy of a report that counts from now on: the same one read again, or another. */
export interface Recount {
  held: HeldReport;
  reread: Reread;
}

/** Makes the exchange in a transaction; the revision has what the mails say of the copy by then. */
export type Exchange = (session: Session, revision: HeldRevision) => Promise<void>;

/** Prepares the exchange: in every figure, this copy's part replaces the counted copy's part. */
export async function prepareRecount(
  dimensions: Dimensions,
  orgId: string,
  { held, reread }: Recount,
): Promise<Exchange> {
  const place = (await placeHeaders(dimensions, orgId, [reread.header]))(reread.header);
  return async (session, revision) => {
    const { payloadSha256, document, mailReceivedAt, authenticated, isUnproven, messageId } = revision;
    const isReleased = revision.message?.isReleased ?? true; // what counts is no longer held when its bytes are gone
    const arrival = { messageId, receivedAt: held.receivedAt, mailReceivedAt, authenticated, isUnproven, isReleased };
    const sums = noSums();
    const copy = makeCopy(
      { header: reread.header, sums, warnings: [] },
      { ...arrival, payloadSha256, document },
      place,
    );
    await recountReport(session, orgId, held, {
      copy,
      records: summing(reread.records(), sums),
      complete: () => ({ ...copy, warnings: [...reread.warnings()] }),
    });
  };
}
