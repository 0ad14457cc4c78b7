import { getSystemErrorMessage } from 'node:util';

/** An error of the system, which has its number and the path that it is about. */
type SystemError = Error & { errno: number; path?: string };

/**
 * What an error says, for people: of an error of the system its meaning and the path, without names of codes and calls.
 */
export function systemReason(error: unknown): string {
  if (isSystemError(error)) {
    const message = getSystemErrorMessage(error.errno);
    return error.path === undefined ? message : `${message}: ${error.path}`;
  }
  return error instanceof Error ? error.message : String(error);
}

/** True for an error that the system has answered a call about a file with. */
export function isSystemError(error: unknown): error is SystemError {
  return error instanceof Error && 'syscall' in error && 'errno' in error && typeof error.errno === 'number';
}
