import type { Identity } from '@dmarc-ledger/ledger/for-web';
import type { ClientAuth, Configuration } from 'openid-client';

/** The identity provider of the installation, as its operator registered the pages there. */
export interface IdentityProviderOptions {
  /** HTTPS; plain HTTP only on this machine. */
  issuer: string;
  clientId: string;
  /** Unset: a public client, protected by PKCE alone. */
  clientSecret?: string | undefined;
  /** What people call it. */
  name: string;
}

/** What a browser keeps between leaving for the provider and coming back. */
interface PendingSignIn {
  state: string;
  nonce: string;
  verifier: string;
}

/** Signing in with OpenID Connect: authorization code flow with PKCE (RFC 7636), state and nonce. */
export interface IdentityProvider {
  name: string;
  issuer: string;
  /** The address at the provider to go to. Throws when the provider cannot be reached. */
  begin(redirectUri: string): Promise<{ url: URL; pending: PendingSignIn }>;
  /** Redeems the code with which the browser came back. Throws when anything about the answer is not right. */
  finish(cameBackTo: URL, pending: PendingSignIn): Promise<Identity>;
}

/** Of each request to the provider. */
const TIMEOUT_SECONDS = 10;
/** How long what the provider says about itself is kept. */
const KEPT_MS = 3_600_000;

/** Nothing is requested before the first person signs in. */
export function openIdentityProvider(options: IdentityProviderOptions): IdentityProvider {
  const { issuer, name } = options;
  const configuration = kept(KEPT_MS, () => discover(options));
  return {
    name,
    issuer,
    async begin(redirectUri) {
      const client = await import('openid-client');
      const pending = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        verifier: client.randomPKCECodeVerifier(),
      };
      const url = client.buildAuthorizationUrl(await configuration(), {
        redirect_uri: redirectUri,
        scope: 'openid email',
        code_challenge: await client.calculatePKCECodeChallenge(pending.verifier),
        code_challenge_method: 'S256',
        state: pending.state,
        nonce: pending.nonce,
      });
      return { url, pending };
    },
    async finish(cameBackTo, { state, nonce, verifier }) {
      const client = await import('openid-client');
      const found = await configuration();
      const tokens = await client.authorizationCodeGrant(found, cameBackTo, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (!claims) throw new TypeError('the identity provider sent no ID token');
      const { sub: subject, iss } = claims;
      // Providers may leave the address out of the ID token. (OpenID Connect Core 1.0, 5.4)
      const about =
        claims['email'] === undefined ? await client.fetchUserInfo(found, tokens.access_token, subject) : claims;
      const { email, email_verified: isVerified } = about;
      return {
        issuer: iss,
        subject,
        email: typeof email === 'string' ? email : undefined,
        isVerified: isVerified === true,
      };
    },
  };
}

async function discover({ issuer, clientId, clientSecret }: IdentityProviderOptions): Promise<Configuration> {
  const client = await import('openid-client');
  const authentication = clientSecret === undefined ? client.None() : authenticationWith(clientSecret, client);
  return await client.discovery(new URL(issuer), clientId, {}, authentication, {
    timeout: TIMEOUT_SECONDS,
    ...(issuer.startsWith('http:') && { execute: [client.allowInsecureRequests] }),
  });
}

/** Sends the secret in the header, unless the provider takes it in the body alone. (OpenID Connect Discovery 1.0, 3) */
function authenticationWith(
  secret: string,
  {
    ClientSecretBasic,
    ClientSecretPost,
  }: Record<'ClientSecretBasic' | 'ClientSecretPost', (secret: string) => ClientAuth>,
): ClientAuth {
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported;
    const isBasic = methods === undefined || methods.includes('client_secret_basic');
    (isBasic ? ClientSecretBasic : ClientSecretPost)(secret)(server, ...rest);
  };
}

/** Loads once for all callers; a failure is not kept. */
function kept<Value>(ms: number, load: () => Promise<Value>): () => Promise<Value> {
  let current: { value: Promise<Value>; until: number } | undefined;
  return async () => {
    if (current && current.until > performance.now()) return await current.value;
    const mine = { value: load(), until: performance.now() + ms };
    current = mine;
    mine.value.catch(() => {
      if (current === mine) current = undefined;
    });
    return await mine.value;
  };
}
