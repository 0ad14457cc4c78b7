import { findMailbox, type NewMailbox } from '@dmarc-ledger/ledger';
import { secretPlace } from '@dmarc-ledger/pipeline';
import { dovecotServer, tokenServer, type DovecotServer, type TokenServer } from '@dmarc-ledger/testkit';
import { expect, it } from 'vitest';
import { documents } from './documents.ts';
import { openMailFixture, type MailFixture } from './mail-fixture.ts';

/** Each report counts two messages. */
const MESSAGES = 2;
/** A token is replaced when less than this is left of it. */
const LEAST_LEFT_S = 300;

/** The secret that `mailbox add --oauth-…` creates from a consent. */
function oauth(fixture: MailFixture, { tokenUrl, authority }: TokenServer, refreshToken: string | null) {
  const secret = JSON.stringify({ clientSecret: authority.clientSecret, refreshToken });
  const grant = refreshToken === null ? 'client_credentials' : 'refresh_token';
  const change: Partial<NewMailbox> = {
    auth: 'oauth',
    oauth: { tokenUrl, clientId: authority.clientId, grant, scope: null },
    seal: (mailboxId) => fixture.secrets.seal(secret, secretPlace({ orgId: fixture.orgId, mailboxId }, 'secret')),
  };
  return change;
}

async function open(lifetimeSeconds: number) {
  const tokens = await tokenServer({ lifetimeSeconds });
  const server = await dovecotServer({ tokenInfoUrl: tokens.tokenInfoUrl });
  const fixture = await openMailFixture();
  return {
    tokens,
    server,
    fixture,
    async [Symbol.asyncDispose]() {
      for (const each of [fixture, server, tokens]) await each[Symbol.asyncDispose]();
    },
  };
}

const arrive = (server: DovecotServer, user: string, id: string) => server.append(user, 'INBOX', [documents.mail(id)]);

it('signs in with a token that is asked for once, however many sessions want it', async () => {
  await using site = await open(3_600);
  const { tokens, server, fixture } = site;
  const user = server.user();
  await arrive(server, user, 'a');
  await fixture.add(server, user, oauth(fixture, tokens, tokens.consent(user)));
  await fixture.ingester({ lease: false });
  await fixture.ingester({ lease: false });
  await fixture.settled();
  expect(await fixture.messages()).toBe(MESSAGES);
  expect(tokens.requests).toHaveLength(1);
});

it('replaces a token before it ends, each time with the refresh token that the last answer gave', async () => {
  await using site = await open(LEAST_LEFT_S + 2);
  const { tokens, server, fixture } = site;
  const user = server.user();
  const key = await fixture.add(server, user, oauth(fixture, tokens, tokens.consent(user)));
  await fixture.ingester({ rhythm: { pollMs: 500, followMs: 50, sessionMs: 1_000, tokenMs: 1_000, againMs: 1_000 } });
  await fixture.until('three tokens', async () => tokens.requests.length >= 3);
  await arrive(server, user, 'a');
  await fixture.until('the mail', async () => (await fixture.messages()) === MESSAGES);
  const used = tokens.requests.map((request) => request.get('refresh_token'));
  expect(new Set(used).size).toBe(used.length);
  expect((await fixture.progress(key)).fault_code).toBeNull();
});

it('signs in with a token that is said to last for millions of years', async () => {
  await using site = await open(1e15);
  const { tokens, server, fixture } = site;
  const user = server.user();
  const key = await fixture.add(server, user, oauth(fixture, tokens, tokens.consent(user)));
  await arrive(server, user, 'a');
  await fixture.ingester();
  await fixture.until('the mail', async () => (await fixture.messages()) === MESSAGES);
  expect((await fixture.progress(key)).fault_code).toBeNull();
  expect(tokens.requests).toHaveLength(1);
});

it('signs in with the credentials of the client alone, as Microsoft 365 wants it', async () => {
  await using site = await open(3_600);
  const { tokens, server, fixture } = site;
  const user = server.user();
  tokens.authority.applicationUser = user;
  await arrive(server, user, 'a');
  await fixture.add(server, user, oauth(fixture, tokens, null));
  await fixture.ingester();
  await fixture.settled();
  expect(tokens.requests[0]!.get('grant_type')).toBe('client_credentials');
  expect(await fixture.messages()).toBe(MESSAGES);
});

it('stops when the consent was withdrawn, and goes on when it is given anew', async () => {
  await using site = await open(3_600);
  const { tokens, server, fixture } = site;
  const user = server.user();
  await arrive(server, user, 'a');
  tokens.authority.trouble = 'invalid_grant';
  const key = await fixture.add(server, user, oauth(fixture, tokens, tokens.consent(user)));
  await fixture.ingester();
  await fixture.until('it stops', async () => (await fixture.progress(key)).state === 'stopped');
  expect(await fixture.progress(key)).toMatchObject({ fault_code: 'token_refused', retry_at: null });
  expect(tokens.requests).toHaveLength(1);
  delete tokens.authority.trouble;
  await fixture.add(server, user, oauth(fixture, tokens, tokens.consent(user)));
  await fixture.settled();
  expect(await fixture.messages()).toBe(MESSAGES);
});

it.each(['server_error', 'no_json'] as const)(
  'tries again when the token endpoint fails (%s), and says so',
  async (trouble) => {
    await using site = await open(3_600);
    const { tokens, server, fixture } = site;
    const user = server.user();
    await arrive(server, user, 'a');
    tokens.authority.trouble = trouble;
    const key = await fixture.add(server, user, oauth(fixture, tokens, tokens.consent(user)));
    await fixture.ingester();
    const { state } = await fixture.reaches(key, ({ fault_code }) => fault_code === 'token_unavailable');
    expect(state).toBe('retrying');
    delete tokens.authority.trouble;
    await fixture.settled();
    expect(await fixture.messages()).toBe(MESSAGES);
  },
);

it('goes on with the token it has while another cannot be had, and says so before mail is late', async () => {
  await using site = await open(LEAST_LEFT_S + 1);
  const { tokens, server, fixture } = site;
  const user = server.user();
  const key = await fixture.add(server, user, oauth(fixture, tokens, tokens.consent(user)));
  await fixture.ingester({ rhythm: { pollMs: 500, followMs: 50, sessionMs: 1_000, tokenMs: 1_000, againMs: 1_000 } });
  await fixture.until('it is read', async () => (await fixture.progress(key)).succeeded_at !== null);
  tokens.authority.trouble = 'server_error';
  await fixture.until('the fault shows', async () => (await fixture.progress(key)).fault_code === 'token_unavailable');
  await arrive(server, user, 'a');
  await fixture.until('the mail', async () => (await fixture.messages()) === MESSAGES);
  delete tokens.authority.trouble;
  await fixture.until('all is well', async () => (await fixture.progress(key)).fault_code === null);
  expect((await fixture.progress(key)).state).toBe('connected');
});

it('asks for another token when the server no longer takes the one it has', async () => {
  await using site = await open(3_600);
  const { tokens, server, fixture } = site;
  const user = server.user();
  const key = await fixture.add(server, user, oauth(fixture, tokens, tokens.consent(user)));
  const first = await fixture.ingester();
  await fixture.until('it is read', async () => (await fixture.progress(key)).succeeded_at !== null);
  await first.close();
  const { token } = (await findMailbox(fixture.database.db, key.mailboxId))!;
  tokens.revoke(fixture.secrets.open(token!, secretPlace(key, 'token')));
  await arrive(server, user, 'a');
  await fixture.ingester();
  await fixture.until('the mail', async () => (await fixture.messages()) === MESSAGES);
  expect(tokens.requests).toHaveLength(2);
});
