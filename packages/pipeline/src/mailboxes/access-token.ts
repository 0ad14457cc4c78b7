import { type Mailbox, type MailboxKey, renewToken } from '@dmarc-ledger/ledger';
import type { Database } from '@dmarc-ledger/schema';
import type { SecretBox } from '@dmarc-ledger/secrets';
import { isFinal, present } from '@dmarc-ledger/vocabulary';
import { inTurn } from './in-turn.ts';

/** The sealed secret of a mailbox with OAuth. */
export interface OauthSecret {
  clientSecret: string | null;
  refreshToken: string | null;
}

interface TokenRequest {
  tokenUrl: string;
  /** The endpoint was entered on the pages: only public addresses are connected to. */
  isPublicOnly: boolean;
  clientId: string;
  clientSecret: string | null;
  grant: { type: 'client_credentials' } | { type: 'refresh_token'; refreshToken: string };
  scope: string | null;
}

interface GivenToken {
  accessToken: string;
  expiresAt: Date;
  /** The refresh token to use from now on, where the server replaces it. */
  refreshToken: string | null;
}

/** Requests a token from the token endpoint. */
export type RequestToken = (request: TokenRequest) => Promise<GivenToken>;

/** The token to sign in with. */
export interface UsableToken {
  accessToken: string;
  expiresAt: Date;
  /** Why there is no newer one, although one was due. */
  concern?: unknown;
}

/** A token that expires within this time is replaced. */
const LEAST_LEFT_MS = 5 * 60_000;
/** While no new token can be obtained, one with this much time left is used. */
const USABLE_MS = 20_000;

/** The place that each of a mailbox's secrets is sealed for; it cannot be opened for another place. */
export function secretPlace({ orgId, mailboxId }: MailboxKey, field: 'secret' | 'token'): string {
  return `mailbox|${orgId}|${mailboxId}|${field}`;
}

/**
 * The access token of a mailbox: the current one while it lasts, otherwise a new one, requested once for all callers. A
 * new refresh token is committed before its access token is used, because the former is no longer valid. A token that
 * the server has refused is replaced, however much time it has left.
 */
export async function accessToken(
  needs: { database: Database; secrets: SecretBox; requestToken: RequestToken },
  key: MailboxKey,
  refused?: string,
): Promise<UsableToken> {
  return await inTurn(key.orgId, () => currentToken(needs, key, refused));
}

async function currentToken(
  { database, secrets, requestToken }: { database: Database; secrets: SecretBox; requestToken: RequestToken },
  key: MailboxKey,
  refused?: string,
): Promise<UsableToken> {
  const open = (token: Buffer) => secrets.open(token, secretPlace(key, 'token'));
  // obtained by an earlier run of the transaction, with a secret: it must not be requested twice with it
  let given: { token: GivenToken; by: Buffer } | undefined;
  let concern: unknown;
  const mailbox = await renewToken(database, key, async (current) => {
    const isRefused = refused !== undefined && current.token !== null && open(current.token) === refused;
    if (!isRefused && isGoodFor(current, LEAST_LEFT_MS)) return undefined;
    const secret: OauthSecret = JSON.parse(secrets.open(current.secret, secretPlace(key, 'secret')));
    try {
      if (!given?.by.equals(current.secret))
        given = { token: await requestToken(tokenRequestOf(current, secret)), by: current.secret };
    } catch (error) {
      if (isRefused || isFinal(error) || !isGoodFor(current, USABLE_MS)) throw error;
      concern = error;
      return undefined;
    }
    const { accessToken: token, expiresAt, refreshToken } = given.token;
    return {
      token: secrets.seal(token, secretPlace(key, 'token')),
      expiresAt,
      secret:
        refreshToken === null
          ? null
          : secrets.seal(JSON.stringify({ ...secret, refreshToken }), secretPlace(key, 'secret')),
    };
  });
  if (!mailbox?.token || !mailbox.token_expires_at) throw new Error('The mailbox has been removed.');
  return {
    accessToken: open(mailbox.token),
    expiresAt: mailbox.token_expires_at,
    ...(concern !== undefined && { concern }),
  };
}

function isGoodFor({ token, token_expires_at: expiresAt }: Mailbox, ms: number): boolean {
  return token !== null && expiresAt !== null && expiresAt.getTime() - Date.now() > ms;
}

function tokenRequestOf(
  { oauth, public_only: isPublicOnly }: Mailbox,
  { clientSecret, refreshToken }: OauthSecret,
): TokenRequest {
  const { tokenUrl, clientId, grant, scope } = present(oauth ?? undefined);
  return {
    tokenUrl,
    isPublicOnly,
    clientId,
    clientSecret,
    scope,
    grant: grant === 'refresh_token' ? { type: grant, refreshToken: refreshToken ?? '' } : { type: grant },
  };
}
