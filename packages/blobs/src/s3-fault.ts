import { BlobError } from './errors.ts';

/** Answers about the bucket or the caller, not about the object. */
const DENIED = new Set([301, 307, 400, 401, 403, 405, 501]);

/** Converts a failed call to a BlobError: the object is missing, access is denied, or the store is down. */
export function s3Fault(error: unknown, name: string): BlobError {
  if (error instanceof BlobError) return error;
  const [status, code] = [statusOf(error), error instanceof Error ? error.name : ''];
  if (code === 'NoSuchBucket') return noBucket(error);
  if (status === 404) return new BlobError('blob_missing', `The stored bytes ${name} are gone.`, { cause: error });
  if ((status !== undefined && DENIED.has(status)) || code === 'CredentialsProviderError') {
    const message =
      `The bucket of BLOB_URL denies access (${code}). Check AWS_ACCESS_KEY_ID, the region and the ` +
      `bucket's policy.`;
    return new BlobError('blob_store_denied', message, { cause: error });
  }
  return new BlobError('blob_store_unreachable', `The bucket of BLOB_URL cannot be used at the moment (${code}).`, {
    cause: error,
  });
}

export function noBucket(cause: unknown): BlobError {
  return new BlobError('blob_store_denied', 'The bucket of BLOB_URL does not exist.', { cause });
}

function statusOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('$metadata' in error)) return undefined;
  const metadata: unknown = error.$metadata;
  if (typeof metadata !== 'object' || metadata === null || !('httpStatusCode' in metadata)) return undefined;
  return typeof metadata.httpStatusCode === 'number' ? metadata.httpStatusCode : undefined;
}
