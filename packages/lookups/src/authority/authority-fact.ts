import type { RecordData, RecordType } from '../dns/record.ts';

/** What one server of a zone answered. */
export interface ServerSaid<Type extends RecordType = RecordType> {
  /** Its host name. */
  host: string;
  /** `unanswered`: no answer, or one without authority. */
  outcome: 'found' | 'absent' | 'unanswered';
  data: readonly RecordData[Type][];
  reason?: string;
}

/** Every server that was queried, and the name that it was queried for in the end, after aliases. */
interface Queried<Type extends RecordType = RecordType> {
  name?: string;
  said?: readonly ServerSaid<Type>[];
}

/**
 * The combined answer of a zone's servers.
 * - `found`: the records, of all that answered; one server that has them is enough.
 * - `absent`: two servers agree on the absence, or the only one reports it, and none has a record.
 * - `unconfirmed`: anything less. Must never count as an absence.
 */
export type AuthorityFact<Type extends RecordType = RecordType> = (
  | { outcome: 'found'; data: readonly RecordData[Type][]; servers: readonly string[] }
  | { outcome: 'absent'; isNameAbsent: boolean; servers: readonly string[] }
  | { outcome: 'unconfirmed'; reason: string }
) &
  Queried<Type>;

export const unconfirmed = (reason: string) => ({ outcome: 'unconfirmed' as const, reason });
