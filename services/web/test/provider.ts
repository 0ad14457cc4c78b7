import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { Provider } from 'oidc-provider';

/** An account at the provider of a test; its name is its subject. */
interface ProviderAccount {
  email: string;
  email_verified: boolean;
}

export interface TestProvider extends AsyncDisposable {
  issuer: string;
  /** The accounts by their subject; a person signs in by typing it. */
  accounts: Map<string, ProviderAccount>;
}

export const CLIENT = { id: 'dmarc-ledger', secret: 'a secret of this test' };

/** A real OpenID provider on this machine, with its own pages to sign in and to consent. */
export async function openProvider(redirectUris: string[]): Promise<TestProvider> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const accounts = new Map<string, ProviderAccount>();
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: redirectUris,
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    pkce: { required: () => true },
    cookies: { keys: ['a key of this test'] },
    findAccount: (_context, subject) => {
      const account = accounts.get(subject);
      return account && { accountId: subject, claims: () => ({ sub: subject, ...account }) };
    },
  });
  const answer = provider.callback();
  server.on('request', (request, response) => void answer(request, response));
  return {
    issuer,
    accounts,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
