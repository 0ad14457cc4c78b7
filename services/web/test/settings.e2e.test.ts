import { createHash, randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { pathToFileURL } from 'node:url';
import { openBlobs } from '@dmarc-ledger/blobs';
import { startIngester } from '@dmarc-ledger/ingester-service';
import { main as runIngester } from '@dmarc-ledger/ingester-service/main';
import { addDomain, createOrganization } from '@dmarc-ledger/ledger';
import { createTicket } from '@dmarc-ledger/ledger/for-web';
import { openDnsClient, openMailer } from '@dmarc-ledger/lookups';
import { openNotifier } from '@dmarc-ledger/pipeline';
import { openLogger } from '@dmarc-ledger/runtime';
import { openSecretBox } from '@dmarc-ledger/secrets';
import {
  awayFromTheTurn,
  dovecotServer,
  givenReports,
  reportMail,
  reportXml,
  smtpHost,
  tokenServer,
  webhookReceiver,
  type DovecotServer,
  type SmtpHost,
  type WebhookReceiver,
} from '@dmarc-ledger/testkit';
import { makeCertificate } from '@dmarc-ledger/testkit/private-ca';
import { comparableAddress, idText } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/folder.ts';
import { makeCorpus } from '../../../test/support/synthetic.ts';
import { openPagesWorld, type PagesWorld } from '../../../test/support/pages.ts';

const stack = new AsyncDisposableStack();
const secrets = openSecretBox(randomBytes(32).toString('hex'));
let mail: DovecotServer;
let receiver: WebhookReceiver;
let world: PagesWorld;
let ingestUrl: string;
let smtp: SmtpHost;
let smtpCa: string;

/** Pages with an ingester behind them; an open one reaches private addresses, as tests and operators may. */
async function openWorld(isOpen: boolean): Promise<PagesWorld> {
  const folder = stack.use(temporaryFolder());
  const blobs = await openBlobs(pathToFileURL(folder.path).href);
  return await openPagesWorld({
    async ingestUrl(database) {
      const client = openDnsClient({ servers: [receiver.dns], isAllowedServer: () => true });
      const mailer = openMailer({ url: `smtp://localhost:${smtp.port}`, from: 'ledger@example.com', ca: smtpCa });
      const webhooks = { client, ca: receiver.ca, isOpen, isAllowed: () => isOpen };
      const ingester = await startIngester({
        database,
        blobs,
        log: openLogger({ name: 'settings', level: 'silent' }),
        upload: { host: '127.0.0.1', port: 0 },
        mailboxes: {
          secrets,
          rhythm: { pollMs: 2_000, followMs: 50, sessionMs: 60_000, tokenMs: 5_000, againMs: 1_000 },
        },
        settings: {
          secrets,
          isOpen,
          openNotifier: async () => openNotifier({ webhooks, mailer, secrets, appUrl: 'https://dmarc.example' }),
        },
      });
      stack.defer(async () => await ingester.close());
      ingestUrl = ingester.uploadUrl ?? '';
      return ingester.uploadUrl;
    },
  });
}

beforeAll(async () => {
  [mail, receiver] = await Promise.all([dovecotServer(), webhookReceiver()]);
  const made = await makeCertificate(stack.use(temporaryFolder()).path);
  smtpCa = made.ca;
  const file = (path: string) => readFileSync(path, 'utf8');
  smtp = stack.use(await smtpHost({ certificate: file(made.certificate), key: file(made.key) }));
  stack.use(mail);
  stack.use(receiver);
  world = await openWorld(true);
});
afterAll(async () => {
  await stack.disposeAsync();
  await world[Symbol.asyncDispose]();
});

async function enterMailbox(page: Page, user: string, password: string) {
  await page.goto('/settings/ingest');
  await page.getByRole('link', { name: 'Add a mailbox' }).click();
  await page.getByLabel('IMAP server').fill(mail.host);
  await page.getByLabel('User name').fill(user);
  await page.getByLabel('Password').fill(password);
  await page.getByText('A server of your own').click();
  await page.getByLabel('Another port').fill(String(mail.tlsPort));
  await page.getByLabel(/authority/).fill(mail.ca);
  await page.getByRole('button', { name: 'Sign in and add' }).click();
}

async function post(page: Page, path: string, form: { [name: string]: string } = {}, at = world) {
  const cookie = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
  const headers = { cookie, origin: at.origin };
  const request = { method: 'POST', headers, body: new URLSearchParams(form), redirect: 'manual' } as const;
  const response = await fetch(`${at.origin}${path.includes('?') ? path : at.form(path)}`, request);
  return { status: response.status, text: await response.text() };
}

it('adds a mailbox after signing in to it, reads it, tests it and removes it', async () => {
  const user = mail.user();
  const page = await world.signedIn();
  await enterMailbox(page, user, 'not the password');
  expect(await page.getByRole('alert').textContent()).toContain('refused the sign-in');
  expect(await page.getByLabel('User name').inputValue()).toBe(user);
  expect(await page.getByLabel('Password').inputValue()).toBe('');

  await page.getByLabel('Password').fill(mail.password);
  await page.getByRole('button', { name: 'Sign in and add' }).click();
  await page.waitForURL(/\/settings\/ingest\?mailbox=0$/);
  expect(await page.textContent('main')).toContain('Signed in. 0 messages');
  const state = async () => {
    await page.goto('/settings/ingest');
    return await page.locator('.tag').allTextContents();
  };
  await expect.poll(state, { timeout: 30_000, interval: 300 }).toContain('connected');
  const stored = await world.database.db.selectFrom('mailbox').select(['secret', 'username']).executeTakeFirstOrThrow();
  expect(stored.secret.includes(mail.password)).toBe(false);

  await enterMailbox(page, user, mail.password);
  expect(await page.getByRole('alert').textContent()).toContain('already read');
  await page.goto('/settings/ingest');
  await page.getByRole('button', { name: `Test ${user}` }).click();
  await page.waitForURL(/mailbox=0$/);
  await page.getByRole('button', { name: `Remove ${user}` }).click();
  await page.waitForURL(/\/settings\/ingest$/);
  expect(await page.textContent('main')).not.toContain(user);
});

it('adds one mailbox, however its server and its folder are written', async () => {
  const user = mail.user();
  const { id: org } = await createOrganization(world.database.db, { name: 'Written Ltd' }); // connections are limited
  const page = await world.signedIn('written@example.com', 'owner', org);
  const { tlsPort, ca, password } = mail;
  const form = { tls: 'implicit', port: String(tlsPort), ca, username: ` ${user} `, password };
  const add = async (host: string, folder: string) =>
    await post(page, world.form('/settings/mailboxes/add', org), { ...form, host, folder });
  expect((await add(' LOCALHOST. ', 'inbox')).status).toBe(303);
  for (const [host, folder] of [
    ['localhost', 'INBOX'],
    ['Localhost', 'Inbox'],
  ] as const)
    expect(await add(host, folder)).toMatchObject({ status: 422, text: expect.stringContaining('already read') });
  expect((await add('localhost', 'processed')).text).toContain('moved to that folder');
  const stored = world.database.db.selectFrom('mailbox').select(['id', 'host', 'folder']).where('username', '=', user);
  expect(await stored.execute()).toMatchObject([{ host: 'localhost', folder: 'INBOX' }]);
  expect((await add('imap.bücher.example', 'INBOX')).text).toContain('imap.xn--bcher-kva.example');
  await page.goto('/settings/ingest');
  await page.getByRole('button', { name: `Remove ${user}` }).click();
});

it('adds no mailbox for an admin who is removed while its server takes its time', async () => {
  const user = mail.user();
  const opened = Promise.withResolvers<void>();
  const removed = Promise.withResolvers<void>();
  const passOn = (client: Socket) => {
    const server = connect(mail.tlsPort, mail.host);
    client.on('error', () => server.destroy()).pipe(server);
    server.on('error', () => client.destroy()).pipe(client);
  };
  const slow = createServer((client) => {
    opened.resolve();
    void removed.promise.then(() => passOn(client));
  }).listen(0, '127.0.0.1');
  await once(slow, 'listening');
  const { port } = slow.address() as AddressInfo;
  const admin = await world.signedIn('admin@example.com', 'admin');
  const { ca, password } = mail;
  const form = {
    tls: 'implicit',
    port: String(port),
    ca,
    username: user,
    password,
    host: 'localhost',
    folder: 'INBOX',
  };
  const added = post(admin, '/settings/mailboxes/add', form);
  await opened.promise;
  const owner = await world.signedIn();
  expect((await post(owner, '/settings/people/remove', { email: 'admin@example.com' })).status).toBe(303);
  removed.resolve();
  expect((await added).status).toBe(422);
  const stored = world.database.db.selectFrom('mailbox').select('id').where('username', '=', user);
  expect(await stored.execute()).toEqual([]);
  slow.close();
});

it('adds a mailbox with OAuth after a token signed in to it, and reads it on with the next one', async () => {
  await using tokens = await tokenServer({ lifetimeSeconds: 3_600 });
  await using server = await dovecotServer({ tokenInfoUrl: tokens.tokenInfoUrl });
  const user = server.user();
  const page = await world.signedIn();
  const enter = async (refreshToken: string, tokenUrl = tokens.tokenUrl) => {
    await page.getByLabel('Token endpoint').fill(tokenUrl);
    await page.getByLabel('Client', { exact: true }).fill(tokens.authority.clientId);
    await page.getByLabel('Secret of the client').fill(tokens.authority.clientSecret);
    await page.getByLabel('Refresh token').fill(refreshToken);
    await page.getByRole('button', { name: 'Sign in and add' }).click();
  };
  await page.goto('/settings/mailboxes/add');
  await page.getByRole('link', { name: 'sign in with OAuth 2' }).click();
  await page.getByLabel('IMAP server').fill(server.host);
  await page.getByLabel('User name').fill(user);
  await page.getByText('A server of your own').click();
  await page.getByLabel('Another port').fill(String(server.tlsPort));
  await page.getByLabel(/authority/).fill(server.ca);
  await enter('made up');
  expect(await page.getByRole('alert').textContent()).toContain('The token endpoint refused: invalid_grant');
  expect(await page.getByLabel('Token endpoint').inputValue()).toBe(tokens.tokenUrl);
  for (const label of ['Secret of the client', 'Refresh token'])
    expect(await page.getByLabel(label).inputValue()).toBe('');
  await enter(tokens.consent('another@example.com'));
  expect(await page.getByRole('alert').textContent()).toContain('refused the sign-in');
  expect(await world.database.db.selectFrom('mailbox').select('id').where('auth', '=', 'oauth').execute()).toEqual([]);

  const refreshToken = tokens.consent(user);
  await enter(refreshToken);
  await page.waitForURL(/\/settings\/ingest\?mailbox=0$/);
  const stored = await world.database.db
    .selectFrom('mailbox')
    .select(['auth', 'oauth', 'secret'])
    .where('auth', '=', 'oauth')
    .executeTakeFirstOrThrow();
  expect(stored).toMatchObject({ auth: 'oauth', oauth: { grant: 'refresh_token', scope: null } });
  expect(stored.secret.includes(refreshToken)).toBe(false);
  await server.deliver(user, 'INBOX', [reportMail({ xml: reportXml({ id: 'by-oauth' }) })]);
  const reports = async () =>
    (await world.database.db.selectFrom('report').select('report_id').execute()).map(({ report_id }) => report_id);
  await expect.poll(reports, { timeout: 60_000, interval: 300 }).toContain('by-oauth');

  await page.goto('/settings/ingest');
  await page.getByRole('button', { name: `Test ${user}` }).click();
  await page.waitForURL(/mailbox=\d+$/);
  await tokens.close();
  await world.database.db.updateTable('mailbox').set({ token: null }).where('auth', '=', 'oauth').execute();
  await page.goto('/settings/ingest');
  await page.getByRole('button', { name: `Test ${user}` }).click();
  expect(await page.textContent('main')).toContain('The token endpoint gave no answer');
  await page.goto('/settings/ingest');
  await page.getByRole('button', { name: `Remove ${user}` }).click();
}, 120_000);

it('adds a webhook, shows its secret once, sends it a test event, and removes it', async () => {
  const page = await world.signedIn();
  await page.goto('/settings/notifications');
  await page.getByLabel('URL or address').fill(receiver.url('/hook'));
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  expect(await page.textContent('main')).toMatch(/whsec_[A-Za-z0-9+/=]{32,}/);
  await page.getByRole('link', { name: 'Back to the notifications' }).click();
  expect(await page.textContent('main')).not.toContain('whsec_');
  await page.getByRole('button', { name: /^Test / }).click();
  expect(await page.getByRole('status').textContent()).toContain('was delivered');
  expect(receiver.received.map(({ path }) => path)).toEqual(['/hook']);
  receiver.answers['/hook'] = [500];
  await page.getByRole('button', { name: /^Test / }).click();
  await page.waitForURL(/tested=failed/);
  expect(await page.getByRole('status').textContent()).toContain('did not arrive. status 500');
  await page.getByRole('button', { name: /^Remove / }).click();
  expect(await page.textContent('main')).toContain('Nowhere yet');
});

it('knows a channel by its URL, and keeps the types of events that a command chose', async () => {
  const { db } = world.database;
  const { id: chats } = await createOrganization(db, { name: 'Chats Ltd' });
  const page = await world.signedIn('chats@example.com', 'owner', chats);
  const channels = ['https://hooks.slack.com/services/T0/B0/SECRET', 'https://x.webhook.office.com/webhookb2/SECRET'];
  const add = async (address: string) => {
    await page.goto('/settings/notifications');
    await page.getByLabel('By').selectOption('webhook');
    await page.getByLabel('URL or address').fill(address);
    const added = page.waitForEvent('load');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await added;
  };
  for (const address of channels) await add(address);
  const list = async () => await page.locator('table').first().innerText();
  expect(await list()).toMatch(/Slack[^]*Teams/);
  expect(await page.content()).not.toMatch(/SECRET|whsec_/);

  const types = ['tls_failures'];
  await sql`update delivery_target set types = ${types} where org_id = ${chats} and kind = 'slack'`.execute(db);
  await add(channels[0]!);
  expect(await list()).toMatch(/TLS[^]*all/);
  const kept = db.selectFrom('delivery_target').select('types').where('org_id', '=', chats).where('kind', '=', 'slack');
  expect(await kept.execute()).toEqual([{ types }]);
});

it('shows a refused form again with the reason and with what was entered, and takes it when it is corrected', async () => {
  const page = await world.signedIn();
  const alert = page.getByRole('alert');
  await page.goto('/settings/notifications?days=90');
  await page.getByLabel('By').selectOption('email');
  await page.getByLabel('URL or address').fill('eve@localhost');
  await page.getByLabel('Events from').selectOption('critical');
  const added = page.waitForResponse((response) => response.request().method() === 'POST');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  expect((await added).status()).toBe(422);
  expect(await alert.innerText()).toBe('This is not an e-mail address.');
  expect(await page.getByLabel('By').inputValue()).toBe('email');
  expect(await page.getByLabel('URL or address').inputValue()).toBe('eve@localhost');
  expect(await page.getByLabel('Events from').inputValue()).toBe('critical');
  expect(await page.getByRole('link', { name: 'Overview' }).getAttribute('href')).toBe('/?days=90');
  await page.getByLabel('URL or address').fill('eve@example.com');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('button', { name: 'Remove eve@example.com' }).click();
  await page.getByText('Nowhere yet').waitFor();

  await page.goto('/settings/people');
  await page.getByLabel('E-mail address').fill(world.owner);
  await page.getByLabel('Role').selectOption('analyst');
  await page.getByRole('button', { name: 'Invite' }).click();
  expect(await alert.innerText()).toContain('already belongs');
  expect(await page.getByLabel('E-mail address').inputValue()).toBe(world.owner);
  expect(await page.getByLabel('Role').inputValue()).toBe('analyst');
  const { text } = await post(page, '/settings/people/remove', { email: world.owner });
  expect(text).toContain('You cannot remove yourself');
  expect(text).not.toContain(`value="${world.owner}"`); // the form of another action stays empty
  const refused = await post(page, '/settings/api-keys', { name: 'n'.repeat(101), scope: 'ingest' });
  expect(refused.text).toContain(`value="${'n'.repeat(101)}"`);
  expect(refused.text.match(/<option[^>]*selected[^>]*>[^<]*/)?.[0]).toContain('only sends reports in');
});

it('makes one key, also when the page that shows it is loaded again', async () => {
  const page = await world.signedIn();
  const name = `key-${randomInt(1_000_000)}`;
  await page.goto('/settings/api-keys');
  await page.getByLabel('What it is for').fill(name);
  await page.getByRole('button', { name: 'Make the key' }).click();
  await page.getByRole('heading', { name: 'The new key' }).waitFor();
  await page.reload();
  expect(await page.getByRole('alert').textContent()).toContain('was made and shown before');
  expect(await page.getByRole('cell', { name }).count()).toBe(1);
  await page.getByRole('button', { name: 'Make the key' }).click(); // the form again is another key
  await page.getByRole('heading', { name: 'The new key' }).waitFor();
});

it('makes one secret for a webhook from one form, and says when it replaces another', async () => {
  const { db } = world.database;
  const { id: hooks } = await createOrganization(db, { name: 'Hooks Ltd' });
  const [first, second] = await Promise.all(
    ['one', 'two'].map(async (name) => await world.signedIn(`${name}@hooks.example`, 'owner', hooks)),
  );
  const secrets = async () =>
    (await db.selectFrom('delivery_target').select('secret').where('org_id', '=', hooks).execute()).map(({ secret }) =>
      secret?.toString('hex'),
    );
  const add = async (page: Page, heading: string) => {
    await page.goto('/settings/notifications');
    await page.getByLabel('URL or address').fill(receiver.url('/shared'));
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('heading', { name: heading }).waitFor();
    return await page.textContent('main');
  };
  expect(await add(first!, 'The new webhook')).not.toContain('no longer works');
  expect(await add(second!, 'A new secret for the webhook')).toContain('its earlier secret no longer works');
  const before = await secrets();
  expect(before).toHaveLength(1);
  for (const page of [first, second]) {
    await page!.reload();
    expect(await page!.getByRole('alert').textContent()).toContain('was added before and its secret shown');
  }
  expect(await secrets()).toEqual(before);
  await first!.getByRole('button', { name: /^Remove / }).click();
  await second!.reload();
  expect(await second!.getByRole('alert').textContent()).toContain('was added before');
});

it('keeps the filter, and leads back after signing in, when a form that was refused is sent again', async () => {
  const page = await world.signedIn();
  const invite = async (address: string) => {
    await page.getByLabel('E-mail address').fill(address);
    await page.getByRole('button', { name: 'Invite' }).click();
  };
  await page.goto('/settings/people?days=90');
  expect(await page.locator('form[action*="from="]').count()).toBe(0);
  for (let i = 0; i < 2; i += 1) {
    await invite(world.owner);
    await page.getByRole('alert').waitFor();
  }
  await invite(`again-${randomInt(1_000_000)}@example.com`);
  await page.getByText('is a member now').waitFor();
  for (const [name, path] of [
    ['Back to the people', '/settings/people'],
    ['Overview', '/'],
  ] as const)
    expect(await page.getByRole('link', { name }).getAttribute('href')).toBe(`${path}?days=90`);

  await page.goto('/domains/add?days=90');
  for (const name of ['no name', 'again.example']) {
    await page.getByLabel('Domain', { exact: true }).fill(name);
    await page.getByRole('button', { name: 'Add it' }).click();
  }
  await page.waitForURL(/\/domains\/again\.example\/dns\/dmarc\?days=90$/);

  await page.goto('/settings/people?days=90');
  await invite(world.owner);
  await page.getByRole('alert').waitFor();
  await page.context().clearCookies();
  await invite('later@example.com');
  await page.waitForURL(/\/sign-in/);
  expect(new URL(page.url()).searchParams.get('next')).toBe('/settings/people?days=90');
});

it('ends the monitoring of a domain for an admin, and for no analyst', async () => {
  const { db } = world.database;
  const { id: org } = await createOrganization(db, { name: 'Leaving Ltd' });
  for (const name of ['silent.example', 'reported.example']) await addDomain(db, org, name, {});
  await givenReports(db, org, [{ domain: 'reported.example', records: [{ ip: '192.0.2.1', count: 3 }] }]);
  const monitored = async () =>
    (
      await db.selectFrom('domain').select('name').where('org_id', '=', org).where('monitored', '=', true).execute()
    ).map(({ name }) => name);
  const analyst = await world.signedIn('amy@example.com', 'analyst', org);
  await analyst.goto('/domains/silent.example');
  expect(await analyst.textContent('main')).not.toContain('Stop monitoring');
  const form = (name: string) => world.form(`/domains/${name}/end-monitoring`, org);
  expect((await post(analyst, form('silent.example'))).status).toBe(403);
  expect(await monitored()).toHaveLength(2);

  const admin = await world.signedIn('max@example.com', 'admin', org);
  const end = async (name: string) => {
    await admin.goto(`/domains/${name}`);
    await admin.getByText(`Stop monitoring ${name}`).click();
    const said = await admin.locator('details', { hasText: 'Stop monitoring' }).innerText();
    expect(said).toContain('new ones that come to this organization still count. A mailbox that organizations share');
    await admin.getByRole('button', { name: 'Stop monitoring it' }).click();
  };
  await end('silent.example');
  await admin.waitForURL(/\/domains$/);
  expect(await monitored()).toEqual(['reported.example']);
  await end('reported.example');
  await admin.getByText('Its reports count').waitFor();
  expect(await monitored()).toEqual([]);
  expect((await post(admin, form('reported.example'))).status).toBe(303); // once more changes nothing
  expect((await post(await world.signedIn(), '/domains/reported.example/end-monitoring')).status).toBe(303);
});

it('refuses a certificate of an authority that is too long, and says so beside what was entered', async () => {
  const page = await world.signedIn();
  const form = { host: 'imap.example.com', tls: 'starttls', username: 'dmarc@example.com', password: 'a' };
  const add = async (change: { [name: string]: string }) =>
    await post(page, '/settings/mailboxes/add', { ...form, ...change });
  const tooLong = await add({ ca: `-----BEGIN CERTIFICATE-----\r\n${'A'.repeat(16_000)}`, folder: 'Reports' });
  expect(tooLong).toMatchObject({ status: 400, text: expect.stringContaining('authority has at most 16000') });
  expect(tooLong.text).toContain(`-----BEGIN CERTIFICATE-----\n${'A'.repeat(16_000)}</textarea>`);
  expect(tooLong.text).toContain('value="Reports"');
  expect(tooLong.text).toMatch(/<option[^>]*selected[^>]*>STARTTLS/);
  for (const [name, length] of Object.entries({ folder: 201, scope: 1_001, refreshToken: 4_001 }))
    expect((await add({ auth: 'oauth', [name]: 'a'.repeat(length) })).text).toContain('has at most');
  expect((await add({ port: '99a' })).text).toContain('The port is a number');
  const lines = 'A'.repeat(99).concat('\r\n').repeat(160); // 16,000 characters in the form, 16,160 on the way
  expect((await add({ ca: lines })).text).toContain('The authority is not a certificate in PEM');
});

it('needs a key for the secrets of mailboxes and webhooks alone, and shows their forms again without one', async () => {
  await using resources = new AsyncDisposableStack();
  const blobs = await openBlobs(pathToFileURL(resources.use(temporaryFolder()).path).href);
  const log = openLogger({ name: 'keyless', level: 'silent' });
  const keyless = resources.use(
    await openPagesWorld({
      async ingestUrl(database) {
        const webhooks = { client: openDnsClient({ servers: [receiver.dns] }), isOpen: false, isAllowed: () => false };
        const openNone = async () => openNotifier({ webhooks });
        const host = { database, blobs, recent: undefined, log, secrets: undefined, openNotifier: openNone };
        const env = { HOST: '127.0.0.1', INGEST_PORT: 0, MAILBOX_LEASE: 'on', ALLOW_PRIVATE_ADDRESSES: 'off' } as const;
        const running = await runIngester(env, host, (opened, close) => {
          resources.defer(async () => void (await close(opened)));
          return opened;
        });
        return running.address ?? null;
      },
    }),
  );
  const { db } = keyless.database;
  const page = await keyless.signedIn();
  const send = async (path: string, form?: { [name: string]: string }) => await post(page, path, form, keyless);
  const imap = { host: 'imap.example.com', tls: 'implicit', username: 'dmarc@example.com', password: 'secret' };
  const hook = { kind: 'webhook', address: 'https://hooks.example.com/dmarc', least_severity: 'info' };
  for (const [path, form, entered] of [
    ['/settings/mailboxes/add', imap, imap.username],
    ['/settings/notifications', hook, hook.address],
  ] as const) {
    const { status, text } = await send(path, form);
    expect({ path, status }).toEqual({ path, status: 422 });
    expect(text).toContain('the operator of this server has to set SECRET_KEY');
    expect(text).toContain(`value="${entered}"`);
  }
  expect((await send('/settings/notifications', { ...hook, kind: 'email', address: 'a@b.example' })).status).toBe(303);
  await addDomain(db, keyless.orgId, 'leaving.example', {});
  expect((await send('/domains/leaving.example/end-monitoring')).status).toBe(303);
  expect(await db.selectFrom('domain').select('name').where('monitored', '=', true).execute()).toEqual([]);
  expect((await send('/settings/people/invite', { email: 'new@example.com', role: 'viewer' })).status).toBe(200);
});

it('changes nothing for a viewer, and nothing of another organization', async () => {
  const { db } = world.database;
  const { id: theirs } = await createOrganization(db, { name: 'Their Ltd' });
  const other = await world.signedIn('other@example.com', 'owner', theirs);
  await enterMailbox(other, mail.user(), mail.password);
  await other.waitForURL(/mailbox=0$/);
  await post(other, world.form('/settings/notifications', theirs), {
    kind: 'email',
    address: 'a@b.example',
    least_severity: 'info',
  });
  const [mailbox] = await db.selectFrom('mailbox').select('id').where('org_id', '=', theirs).execute();
  const [target] = await db.selectFrom('delivery_target').select('id').where('org_id', '=', theirs).execute();
  const paths = [
    ...['test', 'pause', 'resume', 'remove'].map((verb) => `/settings/mailboxes/${idText(mailbox?.id ?? '')}/${verb}`),
    ...['test', 'remove'].map((verb) => `/settings/notifications/${idText(target?.id ?? '')}/${verb}`),
  ];
  const owner = await world.signedIn();
  for (const path of paths) expect({ path, status: (await post(owner, path)).status }).toEqual({ path, status: 404 });
  for (const role of ['viewer', 'analyst', 'integration'] as const) {
    const page = await world.signedIn(`${role}@example.com`, role, theirs);
    for (const path of [...paths, '/settings/mailboxes/add', '/settings/notifications'])
      expect({ role, path, status: (await post(page, world.form(path, theirs))).status }).toEqual({
        role,
        path,
        status: 403,
      });
  }
  const left = await db
    .selectFrom('mailbox')
    .select(['removed_at', 'paused_at'])
    .where('org_id', '=', theirs)
    .execute();
  expect(left).toEqual([{ removed_at: null, paused_at: null }]);
});

it('takes a ticket once, for what it was made, and no key', async () => {
  const { db } = world.database;
  const ask = async (token: string, path = 'settings') =>
    (
      await fetch(`${ingestUrl}/ingest/v1/${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ what: 'remove_target', id: '00000000-0000-4000-8000-000000000000' }),
      })
    ).status;
  const once = await createTicket(db, world.orgId, 'settings');
  expect([await ask(once), await ask(once)]).toEqual([404, 401]);
  expect(await ask(await createTicket(db, world.orgId, 'upload'))).toBe(401);
  expect(await ask(await createTicket(db, world.orgId, 'settings'), 'reports')).toBe(401);
  const { createKey } = await import('@dmarc-ledger/ledger');
  expect(await ask((await createKey(db, world.orgId, { scope: 'full' })).key)).toBe(401);
});

it('reads a quarantined delivery again at the push of a button, and none of another organization', async () => {
  const { db } = world.database;
  const corpus = makeCorpus(1, 1).files[0];
  if (!corpus) throw new Error('the corpus has no report');
  const page = await world.signedIn();
  await page.goto('/settings/ingest');
  await page
    .getByLabel(/files/)
    .setInputFiles({ name: 'a.xml', mimeType: 'text/xml', buffer: Buffer.from(corpus.bytes) });
  await page.getByRole('button', { name: 'Upload' }).click();
  await page.waitForURL(/uploaded=1/);
  const states = async () =>
    (await db.selectFrom('raw_message').select('state').where('source', '=', 'upload').execute())
      .map(({ state }) => state)
      .join();
  await expect.poll(states, { timeout: 30_000 }).toBe('stored');
  const [delivery] = await db
    .updateTable('raw_message')
    .set({ state: 'quarantined', code: 'quarantined' })
    .where('source', '=', 'upload')
    .returning('id')
    .execute();
  const path = `/settings/ingest/${idText(delivery?.id ?? '')}`;
  const { id: strangers } = await createOrganization(db, { name: 'Strangers Ltd' });
  const stranger = await world.signedIn('stranger@example.com', 'owner', strangers);
  expect((await post(stranger, world.form(`${path}/replay`, strangers))).status).toBe(404);
  const analyst = await world.signedIn('watching@example.com', 'analyst');
  expect((await post(analyst, `${path}/replay`)).status).toBe(403);
  expect(await states()).toBe('quarantined');
  await page.goto(path);
  await page.getByRole('button', { name: 'Read it again' }).click();
  await page.waitForURL(`${world.origin}${path}`);
  await expect.poll(states, { timeout: 30_000 }).toBe('stored');
});

const tokenIn = (text: string) => /token=3?D?([A-Za-z0-9_-]{43})/.exec(text.replaceAll(/=\r?\n/g, ''))?.[1] ?? '';

it('mails an invitation, which signs the new member in, and later a link to set another password', async () => {
  await awayFromTheTurn(15 * 60_000); // limits of mails to an address begin anew there
  const nora = `nora-${randomInt(1_000_000)}@example.com`; // mails to an address are limited: another try needs its own
  const owner = await world.signedIn();
  await owner.goto('/settings/people');
  await owner.getByLabel('E-mail address').fill(nora);
  await owner.getByRole('button', { name: 'Invite' }).click();
  expect(await owner.textContent('main')).toContain('was mailed to them');
  expect(await owner.textContent('main')).not.toContain('token=');
  const invited = smtp.taken.at(-1);
  expect(invited?.to).toEqual([nora]);
  const page = await (await world.browser.profile({ baseURL: world.origin })).newPage();
  await page.goto(`/sign-in/link?token=${tokenIn(invited?.text ?? '')}`);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.waitForURL(/\/account$/);

  const before = smtp.taken.length;
  const other = await (await world.browser.profile({ baseURL: world.origin })).newPage();
  const forgot = async (address: string) => {
    await other.goto('/sign-in');
    await other.getByText('Forgot the password?').click();
    await other.getByLabel('Your address').fill(address);
    await other.getByRole('button', { name: 'Mail me a link' }).click();
    return await other.textContent('main');
  };
  expect(await forgot('nobody@example.com')).toBe(await forgot(nora.replace('nora', 'Nora')));
  await expect.poll(() => smtp.taken.length).toBe(before + 1);
  const reset = smtp.taken.at(-1);
  expect(reset?.to).toEqual([nora]);
  for (let i = 0; i < 5; i += 1) await forgot(nora);
  await expect.poll(() => smtp.taken.length).toBe(before + 2); // three in 15 minutes, the invitation among them
  await other.goto(`/sign-in/link?token=${tokenIn(reset?.text ?? '')}`);
  await other.getByRole('button', { name: 'Continue' }).click();
  await other.waitForURL(/\/account$/);
  expect(await other.textContent('.who')).toContain(nora);
});

it('takes an address for the same person with letters beyond ASCII and with A-labels', async () => {
  await awayFromTheTurn(15 * 60_000);
  const { db } = world.database;
  const name = `olga-${randomInt(1_000_000)}`;
  const [written, plain] = [`${name}@почта.рф`, `${name}@xn--80a1acny.xn--p1ai`];
  const owner = await world.signedIn();
  const invite = async (email: string) => await post(owner, '/settings/people/invite', { email, role: 'viewer' });
  expect(await invite(` ${written.toUpperCase()} `)).toMatchObject({
    status: 200,
    text: expect.stringContaining('was mailed to them'),
  });
  expect(smtp.taken.at(-1)?.to.map(comparableAddress)).toEqual([plain]);
  expect(await invite(plain)).toMatchObject({ status: 400, text: expect.stringContaining('already belongs') });
  await owner.goto('/settings/people');
  expect(await owner.textContent('main')).toContain('почта.рф');

  const page = await (await world.browser.profile({ baseURL: world.origin })).newPage();
  await page.goto(`/sign-in/link?token=${tokenIn(smtp.taken.at(-1)?.text ?? '')}`);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.waitForURL(/\/account$/);
  await page.getByLabel('New password').fill('a long enough password');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.waitForURL(/saved=password/);
  for (const address of [written, plain, plain.toUpperCase()]) {
    const again = await (await world.browser.profile({ baseURL: world.origin })).newPage();
    await again.goto('/sign-in');
    await again.locator('input[name=email]').first().fill(address);
    await again.getByLabel('Password', { exact: true }).fill('a long enough password');
    await again.getByRole('button', { name: 'Sign in', exact: true }).click();
    await again.waitForURL(`${world.origin}/`);
  }

  const add = async (address: string) =>
    await post(owner, '/settings/notifications', { kind: 'email', address, least_severity: 'critical' });
  for (const address of [written, plain]) expect((await add(address)).status).toBe(303);
  const targets = db.selectFrom('delivery_target').select('address').where('address', 'like', `${name}%`);
  expect(await targets.execute()).toEqual([{ address: plain }]);
  expect((await add('olga@localhost')).status).toBe(422);
  expect((await post(owner, '/settings/people/remove', { email: written })).status).toBe(303);
  await page.goto('/');
  expect(await page.textContent('main')).not.toContain('Example Ltd');
});

it('sends to no more than fifty targets that an organization adds, and mails no more than fifty invitations at once', async () => {
  const { db } = world.database;
  const { id: many } = await createOrganization(db, { name: 'Many Ltd' });
  const page = await world.signedIn('many@example.com', 'owner', many);
  const add = async (address: string) =>
    await post(page, world.form('/settings/notifications', many), { kind: 'email', address, least_severity: 'info' });
  for (let i = 0; i < 50; i += 1) expect((await add(`person${i}@example.com`)).status).toBe(303);
  expect(await add('person50@example.com')).toMatchObject({ status: 422, text: expect.stringContaining('at most 50') });
  expect((await add('person49@example.com')).status).toBe(303); // it is there already

  const before = smtp.taken.length;
  const subject = `invitations ${many}`;
  await sql`insert into sign_in_attempt select ${subject}, date_bin('15 minutes', now(), 'epoch') + n * interval '15 minutes', 50
    from generate_series(0, 1) n`.execute(db);
  const invited = await post(page, world.form('/settings/people/invite', many), {
    email: 'stranger@example.com',
    role: 'viewer',
  });
  expect(invited).toMatchObject({ status: 200, text: expect.stringContaining('the operator') });
  expect(smtp.taken.length).toBe(before);
});

it('leaves the mail of a paused mailbox where it is until it is resumed', async () => {
  const { db } = world.database;
  const [paused, other] = [mail.user(), mail.user()];
  const page = await world.signedIn();
  for (const user of [paused, other]) {
    await enterMailbox(page, user, mail.password);
    await page.waitForURL(/mailbox=0$/);
  }
  const came = async () => (await db.selectFrom('raw_message').select('sha256').execute()).map(({ sha256 }) => sha256);
  const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest();
  const has = async (bytes: Buffer) => (await came()).some((sha256) => sha256.equals(hashOf(bytes)));
  const mails = ['paused', 'other'].map((id) => reportMail({ xml: reportXml({ id }) }));
  const [first = Buffer.alloc(0), second = Buffer.alloc(0)] = mails;
  await page.getByRole('button', { name: `Pause ${paused}` }).click();
  await page.waitForURL(/\/settings\/ingest(?:\?|$)/);
  expect(await page.locator('.tag').allTextContents()).toContain('paused');
  await mail.deliver(paused, 'INBOX', [first]);
  await mail.deliver(other, 'INBOX', [second]);
  await expect.poll(async () => await has(second), { timeout: 30_000, interval: 200 }).toBe(true);
  expect(await has(first)).toBe(false);
  await page.getByRole('button', { name: `Resume ${paused}` }).click();
  await expect.poll(async () => await has(first), { timeout: 60_000, interval: 200 }).toBe(true);
  for (const user of [paused, other]) await page.getByRole('button', { name: `Remove ${user}` }).click();
}, 120_000);

it('connects to no private address, no other port, and not for ever', async () => {
  const guarded = await openWorld(false);
  const page = await guarded.signedIn();
  const form = { host: 'localhost', tls: 'implicit', username: 'a', password: 'b', folder: 'INBOX' };
  const attempt = async (change: { [name: string]: string }) =>
    await post(page, '/settings/mailboxes/add', { ...form, ...change }, guarded);
  for (const host of [
    'localhost',
    '127.0.0.1',
    '::1',
    '10.0.0.1',
    '169.254.169.254',
    '::ffff:127.0.0.1',
    '0x7f.1',
    '2130706433',
  ])
    expect((await attempt({ host })).text).toMatch(/not public|Give the name|No connection/);
  const oauth = { ...form, host: 'imap.example.com', auth: 'oauth', clientId: 'c', clientSecret: 's' };
  for (const tokenUrl of [
    'https://127.0.0.1/token',
    'https://[::1]/token',
    'https://localhost/token',
    'https://example.com:8443/token',
    'http://example.com/token',
    'https://a:b@example.com/token',
    'file:///etc/passwd',
    'x',
  ])
    expect((await attempt({ ...oauth, tokenUrl })).text).toMatch(/not public|The token endpoint|Give the address/);
  const missing = { ...oauth, tokenUrl: 'https://login.example.com/token', clientSecret: '' };
  expect((await attempt(missing)).text).toContain('Give the secret of the OAuth client, a refresh token, or both');
  await sql`update sign_in_attempt set attempts = 1`.execute(guarded.database.db);
  expect((await attempt({ port: '6379' })).text).toContain('the port is 993');
  expect((await attempt({ port: '99999' })).status).toBe(400);
  expect((await attempt({ host: 'x'.repeat(60_000) })).status).toBe(400);
  const hook = { kind: 'webhook', least_severity: 'info' };
  for (const address of ['https://127.0.0.1/', 'http://example.com/', 'https://localhost/', 'file:///etc/passwd'])
    expect((await post(page, '/settings/notifications', { ...hook, address }, guarded)).status).toBe(422);
  expect(await guarded.database.db.selectFrom('mailbox').select('id').execute()).toEqual([]);
  await sql`update sign_in_attempt set attempts = 20`.execute(guarded.database.db);
  expect((await attempt({})).status).toBe(429);
  await guarded[Symbol.asyncDispose]();
});
