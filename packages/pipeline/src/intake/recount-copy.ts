import { addRecord, noSums } from '@dmarc-ledger/dmarc';
import { type Dimensions, type HeldReport, type HeldRevision, recountReport } from '@dmarc-ledger/ledger';
import type { Session } from '@dmarc-ledger/schema';
import { makeCopy, placeHeaders } from './report-copy.ts';
import type { Reread } from './reread-copy.ts';

/** A copy of a report that is to count from now on: the same one read anew, or another. */
export interface Recount {
  held: HeldReport;
  revision: HeldRevision;
  reread: Reread;
}

/**
 * Prepares the exchange, and gives what makes it in a transaction: the counted copy's part of every figure for this
 * one's.
 */
export async function prepareRecount(
  dimensions: Dimensions,
  orgId: string,
  { held, revision, reread }: Recount,
): Promise<(session: Session) => Promise<void>> {
  const place = (await placeHeaders(dimensions, orgId, [reread.header]))(reread.header);
  const { payloadSha256, document, mailReceivedAt, authenticated, messageId } = revision;
  const arrival = { messageId, receivedAt: held.receivedAt, mailReceivedAt, authenticated };
  return async (session) => {
    const sums = noSums();
    const copy = makeCopy(reread.header, sums, [], { ...arrival, payloadSha256, document }, place);
    async function* counted() {
      for await (const batch of reread.records()) {
        for (const record of batch) addRecord(sums, record);
        yield batch;
      }
    }
    await recountReport(session, orgId, held, copy, counted(), () => ({ ...copy, warnings: [...reread.warnings()] }));
  };
}
