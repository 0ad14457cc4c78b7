import { renewToken, type Database, type Mailbox, type MailboxKey } from '@dmarc-ledger/db';
import type { SecretBox } from '@dmarc-ledger/secrets';

/** The secret of a mailbox with OAuth, as it is sealed. */
export interface OauthSecret {
  clientSecret: string | null;
  refreshToken: string | null;
}

export interface TokenWish {
  tokenUrl: string;
  clientId: string;
  clientSecret: string | null;
  grant: { type: 'client_credentials' } | { type: 'refresh_token'; refreshToken: string };
  scope: string | null;
}

export interface GivenToken {
  accessToken: string;
  expiresAt: Date;
  /** Another refresh token from now on, where the server replaces them. */
  refreshToken: string | null;
}

/** Asks the token endpoint. */
export type RequestToken = (wish: TokenWish) => Promise<GivenToken>;

/** A token that ends within this is replaced. */
const LEAST_LEFT_MS = 5 * 60_000;

/** Where each of a mailbox's secrets is sealed for: there, and nowhere else, it opens. */
export function secretPlace({ orgId, mailboxId }: MailboxKey, field: 'secret' | 'token'): string {
  return `mailbox|${orgId}|${mailboxId}|${field}`;
}

/**
 * The access token of a mailbox: the one in use while it lasts, else a new one, asked for once however many ask. A
 * refresh token that replaces another is committed before its access token is used, for the former is dead.
 */
export async function accessToken(
  { database, secrets, requestToken }: { database: Database; secrets: SecretBox; requestToken: RequestToken },
  key: MailboxKey,
): Promise<{ accessToken: string; expiresAt: Date }> {
  let given: GivenToken | undefined; // by an earlier run of the transaction: it must not be asked for twice
  const mailbox = await renewToken(database, key, async (current) => {
    if (isFresh(current)) return undefined;
    const secret = JSON.parse(secrets.open(current.secret, secretPlace(key, 'secret'))) as OauthSecret;
    given ??= await requestToken(wishOf(current, secret));
    const { accessToken: token, expiresAt, refreshToken } = given;
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
    accessToken: secrets.open(mailbox.token, secretPlace(key, 'token')),
    expiresAt: mailbox.token_expires_at,
  };
}

function isFresh({ token, token_expires_at: expiresAt }: Mailbox): boolean {
  return token !== null && expiresAt !== null && expiresAt.getTime() - Date.now() > LEAST_LEFT_MS;
}

function wishOf({ oauth }: Mailbox, { clientSecret, refreshToken }: OauthSecret): TokenWish {
  const { tokenUrl, clientId, grant, scope } = oauth!;
  return {
    tokenUrl,
    clientId,
    clientSecret,
    scope,
    grant: grant === 'refresh_token' ? { type: grant, refreshToken: refreshToken ?? '' } : { type: grant },
  };
}
