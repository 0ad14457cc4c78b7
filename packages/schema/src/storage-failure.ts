import pg from 'pg';

/**
 * Connection lost or refused, resources exhausted, an operator's doing, a lock or a statement that took too long, a
 * transaction that the server ended because the process was still for too long (25P03) or took too long in all (25P04).
 */
const TRANSIENT_STATES = /^(?:08|53|57|58)|^(?:25P03|25P04|40001|40P01|55P03)$/;
/** A value that no column, index or sum holds: the same statement fails always, and another one does not. */
const DATA_STATES = /^(?:22|54)/;
const NETWORK_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
  'ENOENT',
  'EHOSTUNREACH',
]);
const POOL_MESSAGES =
  /^(?:timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error|Client was closed)/;

/** True when the database could not be asked, or did not answer in time: the same question may be answered a little later. */
export function isStorageFailure(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return TRANSIENT_STATES.test(error.code ?? '');
  if (error instanceof AggregateError) return error.errors.some(isStorageFailure);
  if (!(error instanceof Error)) return false;
  return POOL_MESSAGES.test(error.message) || ('code' in error && NETWORK_CODES.has(String(error.code)));
}

/** True when what was to be stored is at fault: a number out of range, a text that an index cannot hold. */
export function isDataError(error: unknown): boolean {
  return error instanceof pg.DatabaseError && DATA_STATES.test(error.code ?? '');
}
