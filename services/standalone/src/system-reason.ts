import { connectionFailure } from '@dmarc-ledger/vocabulary';
import { getSystemErrorMessage } from 'node:util';

/** An error of the system, with its number and its path. */
type SystemError = Error & { errno: number; path?: string };

/**
 * The message of an error for an operator: for a server that cannot be reached which one and what to check, for another
 * error of the system its meaning and the path.
 */
export function systemReason(error: unknown): string {
  const unreached = connectionFailure(error);
  if (unreached !== undefined) return unreached;
  if (isSystemError(error)) {
    const message = getSystemErrorMessage(error.errno);
    return error.path === undefined ? message : `${message}: ${error.path}`;
  }
  return error instanceof Error ? error.message : String(error);
}

/** True for a system error about a file. */
export function isSystemError(error: unknown): error is SystemError {
  return error instanceof Error && 'syscall' in error && 'errno' in error && typeof error.errno === 'number';
}
