import { isStorageFailure } from '@dmarc-ledger/schema';
import { CodedError, errorCode, failureReason } from '@dmarc-ledger/vocabulary';
import { systemReason } from './system-reason.ts';

/** A setting of the environment that names something missing or inaccessible. The message is for the operator. */
class InstallationError extends CodedError<'database_unavailable' | 'data_dir_unavailable' | 'blobs_unavailable'> {
  override readonly retryable = false;
}

/** Wrong user or password, no such database, no right to it. */
const ACCESS_STATES = /^(?:28|3D|42501)/;

/** Does the first work that needs the database; when that fails, says why. */
export async function withDatabase<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (!isStorageFailure(cause) && !ACCESS_STATES.test(errorCode(cause) ?? '')) throw cause;
    const message = `The database cannot be used: ${failureReason(cause)}. See DATABASE_URL.`;
    throw new InstallationError('database_unavailable', message, { cause });
  }
}

/** Does what needs the data folder; when the system refuses it, says why. */
export async function withDataDir<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (!isRefused(cause)) throw cause;
    const message = `${dataDir} cannot be used: ${systemReason(cause)}. Choose another DATA_DIR.`;
    throw new InstallationError('data_dir_unavailable', message, { cause });
  }
}

/** Opens the store of raw bytes that BLOB_URL names; when the system refuses it, says why. */
export async function withBlobUrl<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (!isRefused(cause)) throw cause;
    const message = `The raw bytes cannot be kept at BLOB_URL: ${systemReason(cause)}. Name a folder where we may write.`;
    throw new InstallationError('blobs_unavailable', message, { cause });
  }
}

/** True for an error of the system about a file; a program that does not start is another matter. */
function isRefused(cause: unknown): cause is Error {
  return cause instanceof Error && 'syscall' in cause && !String(cause.syscall).startsWith('spawn');
}
