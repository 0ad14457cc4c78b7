import type { RecordData, RecordType } from '../dns/record.ts';

/**
 * What the servers of a zone say, together.
 * - `found`: the records, of all that answered; one server that has them is enough.
 * - `absent`: two servers agree that there is nothing, or the only one says so, and none has anything.
 * - `unconfirmed`: all that is less. Never to be taken for an absence.
 */
export type AuthorityFact<Type extends RecordType = RecordType> =
  | { outcome: 'found'; data: readonly RecordData[Type][]; servers: readonly string[] }
  | { outcome: 'absent'; isNameAbsent: boolean; servers: readonly string[] }
  | { outcome: 'unconfirmed'; reason: string };

export const unconfirmed = (reason: string) => ({ outcome: 'unconfirmed' as const, reason });
