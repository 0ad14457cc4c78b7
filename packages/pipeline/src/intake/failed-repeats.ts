import { findBringers, type HeldRevision, storedCopyText } from '@dmarc-ledger/ledger';
import type { ReporterFields } from '@dmarc-ledger/dmarc';
import type { Session } from '@dmarc-ledger/schema';
import { bestOf } from './copy-origin.ts';

/** The deliveries that repeat one of these copies of a report, and do not prove it: they are held with it. */
export async function findFailedRepeats(
  session: Session,
  orgId: string,
  reportId: string,
  { revisions, reporter }: { revisions: readonly Pick<HeldRevision, 'payloadSha256'>[]; reporter: ReporterFields },
): Promise<string[]> {
  const copies = revisions.map(({ payloadSha256 }) => ({ reportId, payloadSha256 }));
  const bringers = await findBringers(session.db, orgId, copies);
  const repeats = copies.flatMap((copy) => bringers.get(storedCopyText(copy)) ?? []).filter(({ isFirst }) => !isFirst);
  const failed = repeats.filter((bringer) => bestOf([bringer], reporter) === false);
  return [...new Set(failed.map(({ messageId }) => messageId))];
}
