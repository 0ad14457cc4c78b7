import { type Caller, judgeKey } from '@dmarc-ledger/ledger/for-api';
import { parseApiKey, readCredentials } from '@dmarc-ledger/vocabulary';
import { type AuthFault, unauthorized } from '../http/problem.ts';
import type { KeyCache } from './key-cache.ts';

/**
 * Returns the caller of a request by its key; throws the same 401 for every invalid key.
 *
 * @param takesPassword whether the key may come as the password of Basic authentication
 */
export async function authenticate(
  keys: KeyCache,
  rawHeaders: readonly string[],
  { now, takesPassword = false }: { now: Date; takesPassword?: boolean | undefined },
): Promise<Caller> {
  const refused = (fault: AuthFault) => unauthorized(fault, takesPassword ? 'Basic' : 'Bearer');
  const credentials = readCredentials(rawHeaders, takesPassword);
  if (credentials.kind === 'none') throw refused('missing');
  const key = credentials.kind === 'bearer' ? parseApiKey(credentials.token) : undefined;
  if (!key) throw refused('malformed');
  const judged = judgeKey(await keys.find(key.prefix), key.secret, now);
  if (typeof judged === 'string') throw refused(judged);
  return judged;
}
