import pg from 'pg';

/**
 * Connection lost or refused, resources exhausted, operator intervention, a lock or statement timeout, a transaction
 * that the server ended because it was idle too long (25P03) or took too long in total (25P04).
 */
const TRANSIENT_STATES = /^(?:08|53|57|58)|^(?:25P03|25P04|40001|40P01|55P03)$/;
/** A value that no column, index or sum can store: the same statement always fails, others do not. */
const DATA_STATES = /^(?:22|54)/;
const NETWORK_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);
const POOL_MESSAGES =
  /^(?:timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error|Client was closed)/;

/** True if the database could not be reached, or did not answer in time: the statement may succeed later. */
export function isStorageFailure(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return TRANSIENT_STATES.test(error.code ?? '') || isOfAnotherPartition(error);
  if (error instanceof AggregateError) return error.errors.some(isStorageFailure);
  if (!(error instanceof Error)) return false;
  return (
    POOL_MESSAGES.test(error.message) || ('code' in error && NETWORK_CODES.has(String(error.code))) || isNoSocket(error)
  );
}

/** True for a row on its way to a partition whose range has just become that of another; no constraint is named. */
function isOfAnotherPartition({ code, constraint }: pg.DatabaseError): boolean {
  return code === '23514' && constraint === undefined;
}

/** True for a server's socket that is missing; any other missing file has another call in its error. */
function isNoSocket(error: NodeJS.ErrnoException): boolean {
  return error.code === 'ENOENT' && error.syscall === 'connect';
}

/** True if the data cannot be stored: a number out of range, or a text too long for an index. */
export function isDataError(error: unknown): boolean {
  return error instanceof pg.DatabaseError && DATA_STATES.test(error.code ?? '');
}
