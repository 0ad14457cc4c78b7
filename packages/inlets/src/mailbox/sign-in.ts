import { connect, type Patience } from './connect.ts';
import type { Credentials, MailboxStore, MailboxSettings } from './mailbox.ts';
import { faultOf, type MailboxFault } from './mailbox-fault.ts';

interface SignInNeeds {
  settings: MailboxSettings;
  store: Pick<MailboxStore, 'credentials'>;
  patience?: Patience;
}

/** A token that the server refuses may have been revoked early: another is requested, once. */
export async function signIn({ settings, store, patience }: SignInNeeds, signal: AbortSignal) {
  const credentials = await store.credentials();
  try {
    return { credentials, client: await connect(settings, credentials, patience, signal) };
  } catch (error) {
    if (!('accessToken' in credentials) || faultOf(error).code !== 'auth_failed') throw error;
    const others = await store.credentials(credentials.accessToken);
    return { credentials: others, client: await connect(settings, others, patience, signal) };
  }
}

export function concernOf(credentials: Credentials): MailboxFault | undefined {
  return 'concern' in credentials && credentials.concern ? faultOf(credentials.concern) : undefined;
}

/**
 * When to begin a new session, by `performance.now()`: a little before the token expires, because the server then ends
 * the old one.
 */
export function sessionEnd(
  credentials: Credentials,
  { sessionMs, tokenMs }: { sessionMs: number; tokenMs: number },
): number {
  const now = performance.now();
  if ('password' in credentials) return now + sessionMs;
  const validMs = credentials.expiresAt.getTime() - Date.now() - tokenMs;
  const nextTryMs = tokenMs / (credentials.concern ? 5 : 2);
  return now + Math.min(sessionMs, Math.max(validMs, nextTryMs));
}
