import { type Caller, judgeKey } from '@dmarc-ledger/ledger/for-api';
import { parseApiKey, readCredentials } from '@dmarc-ledger/vocabulary';
import { unauthorized } from '../http/problem.ts';
import type { KeyCache } from './key-cache.ts';

/** Returns the caller of a request by its key; throws the same 401 for every invalid key. */
export async function authenticate(keys: KeyCache, rawHeaders: readonly string[], now: Date): Promise<Caller> {
  const credentials = readCredentials(rawHeaders);
  if (credentials.kind === 'none') throw unauthorized('missing');
  const key = credentials.kind === 'bearer' ? parseApiKey(credentials.token) : undefined;
  if (!key) throw unauthorized('malformed');
  const judged = judgeKey(await keys.find(key.prefix), key.secret, now);
  if (typeof judged === 'string') throw unauthorized(judged);
  return judged;
}
