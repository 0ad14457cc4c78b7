import type { RecordData, RecordType } from '../dns/record.ts';

/**
 * The combined answer of a zone's servers.
 * - `found`: the records, of all that answered; one server that has them is enough.
 * - `absent`: two servers agree on the absence, or the only one reports it, and none has a record.
 * - `unconfirmed`: anything less. Must never count as an absence.
 */
export type AuthorityFact<Type extends RecordType = RecordType> =
  | { outcome: 'found'; data: readonly RecordData[Type][]; servers: readonly string[] }
  | { outcome: 'absent'; isNameAbsent: boolean; servers: readonly string[] }
  | { outcome: 'unconfirmed'; reason: string };

export const unconfirmed = (reason: string) => ({ outcome: 'unconfirmed' as const, reason });
