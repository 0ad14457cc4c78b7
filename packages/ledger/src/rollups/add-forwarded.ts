import type { Session } from '@dmarc-ledger/schema';
import { addToDayClasses } from './class-statements.ts';

/** Forwarded messages of a report, which are added to its day or, where negative, taken from it. */
export interface ForwardedOfDay {
  domain_id: string;
  day: string;
  forwarded: number;
  /** Those whose forwarding is proved. */
  proved: number;
}

/** Adds the forwarded messages of reports to their days: to be called after the reports themselves were added. */
export async function addForwarded(session: Session, orgId: string, days: readonly ForwardedOfDay[]): Promise<void> {
  const some = days.filter(({ forwarded }) => forwarded !== 0); // most mail is not forwarded
  if (some.length > 0) await session.run(addToDayClasses, [orgId, JSON.stringify(some)]);
}
