import { dovecotServer, tokenServer, type TokenServer, type TokenTrouble } from '@dmarc-ledger/testkit';
import { ImapFlow } from 'imapflow';
import { expect, it } from 'vitest';

async function ask(
  { tokenUrl, authority: { clientId, clientSecret } }: TokenServer,
  fields: { [name: string]: string },
  patienceMs = 5_000,
) {
  const body = new URLSearchParams({ client_id: clientId, client_secret: clientSecret, ...fields });
  const response = await fetch(tokenUrl, { method: 'POST', body, signal: AbortSignal.timeout(patienceMs) });
  const token = (await response.json().catch(() => ({}))) as { access_token?: string; refresh_token?: string };
  return { status: response.status, ...token };
}

const refresh = (server: TokenServer, token: string) =>
  ask(server, { grant_type: 'refresh_token', refresh_token: token });

it('gives another refresh token with each access token, and takes the old one no more', async () => {
  await using server = await tokenServer();
  const first = server.consent('reports@example.com');
  const answered = await refresh(server, first);
  expect(answered).toMatchObject({ status: 200, token_type: 'Bearer', expires_in: 3_600 });
  expect(await refresh(server, first)).toMatchObject({ status: 400, error: 'invalid_grant' });
  expect(await refresh(server, answered.refresh_token!)).toMatchObject({ status: 200 });
  expect(server.requests.map((asked) => asked.get('grant_type'))).toEqual(Array(3).fill('refresh_token'));
});

it('keeps the refresh token where it does not rotate, until it is revoked', async () => {
  await using server = await tokenServer({ rotates: false });
  const token = server.consent('reports@example.com');
  expect(await refresh(server, token)).not.toHaveProperty('refresh_token');
  expect(await refresh(server, token)).toMatchObject({ status: 200 });
  server.revoke(token);
  expect(await refresh(server, token)).toMatchObject({ error: 'invalid_grant' });
});

it('knows its client by the secret, in the body or by Basic', async () => {
  await using server = await tokenServer();
  const own = { grant_type: 'client_credentials' };
  expect(await ask(server, own)).toMatchObject({ status: 200 });
  expect(await ask(server, { ...own, client_secret: 'expired' })).toMatchObject({
    status: 401,
    error: 'invalid_client',
  });
  const authorization = `Basic ${btoa('dmarc-ledger:client-secret')}`;
  const basic = { method: 'POST', headers: { authorization }, body: new URLSearchParams(own) };
  expect((await fetch(server.tokenUrl, basic)).status).toBe(200);
  expect(await ask(server, { grant_type: 'password' })).toMatchObject({ error: 'unsupported_grant_type' });
});

it.each<[TokenTrouble, object]>([
  ['invalid_grant', { status: 400, error: 'invalid_grant' }],
  ['server_error', { status: 500 }],
  ['no_json', { status: 200 }],
  ['slow', { status: 200, token_type: 'Bearer' }],
])('does its work again after %s', async (trouble, answered) => {
  await using server = await tokenServer();
  server.authority.trouble = trouble;
  expect(await ask(server, { grant_type: 'client_credentials' })).toMatchObject(answered);
  server.authority.trouble = undefined;
  expect(await ask(server, { grant_type: 'client_credentials' })).toHaveProperty('access_token');
});

it('hangs, and lets go when it is closed', async () => {
  await using server = await tokenServer();
  server.authority.trouble = 'hang';
  await expect(ask(server, { grant_type: 'client_credentials' }, 100)).rejects.toThrow(/timeout/);
});

it('opens a mailbox by XOAUTH2 for as long as its token is good', async () => {
  await using authority = await tokenServer();
  await using server = await dovecotServer({ tokenInfoUrl: authority.tokenInfoUrl });
  const user = server.user();
  const login = async (accessToken: string) => {
    const { host, tlsPort: port, ca } = server;
    const client = new ImapFlow({ host, port, secure: true, tls: { ca }, auth: { user, accessToken }, logger: false });
    client.on('error', () => {});
    try {
      await client.connect();
      return [...client.capabilities.keys()].filter((name) => name === 'IMAP4rev1');
    } finally {
      client.close();
    }
  };
  const refreshed = await refresh(authority, authority.consent(user));
  expect(await login(refreshed.access_token!)).toEqual(['IMAP4rev1']);
  const expired = authority.accessToken(user, -1);
  for (const token of [expired, authority.accessToken('other@example.com'), 'at-unknown'])
    await expect(login(token)).rejects.toMatchObject({ authenticationFailed: true });
  authority.revoke(refreshed.access_token!);
  await expect(login(refreshed.access_token!)).rejects.toMatchObject({ authenticationFailed: true });
});
