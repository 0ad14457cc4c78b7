import type { appEnv, Env, identityEnv } from '@dmarc-ledger/runtime';
import type { WebOptions } from '@dmarc-ledger/web';
import { CodedError } from '@dmarc-ledger/vocabulary';

class IdentityOptionError extends CodedError<'oidc_incomplete'> {
  override readonly retryable = false;
}

/** The identity provider of the environment; undefined without `OIDC_ISSUER`. */
export function identityProviderOf(env: Env<typeof identityEnv & typeof appEnv>): WebOptions['identityProvider'] {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret, OIDC_NAME: name } = env;
  if (issuer === undefined) return undefined;
  if (clientId === undefined) throw incomplete('OIDC_CLIENT_ID, the id of this server at the provider.');
  // Without it, the address to come back to would be what a request names as its host.
  if (env.APP_URL === undefined) throw incomplete('APP_URL, the address to which the provider sends people back.');
  return { issuer, clientId, clientSecret, name };
}

function incomplete(what: string): IdentityOptionError {
  return new IdentityOptionError('oidc_incomplete', `OIDC_ISSUER needs ${what}`);
}
