import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  cloneDatabase,
  smtpHost,
  webhookReceiver,
  type ClonedDatabase,
  type SmtpHost,
  type WebhookReceiver,
} from '@dmarc-ledger/testkit';
import { makeCertificate } from '@dmarc-ledger/testkit/private-ca';
import { newId } from '@dmarc-ledger/vocabulary';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { openCommandHost, type CommandHost, type Ran } from '../../../test/support/command.ts';
import { temporaryFolder } from '../../../test/support/folder.ts';
import { startService } from '../../../test/support/service.ts';
import { jsonOf } from '../../../test/support/json-of.ts';

const folder = temporaryFolder();
const patient = { timeout: 60_000, interval: 100 };
const ownSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

let database: ClonedDatabase;
let receiver: WebhookReceiver;
let mail: SmtpHost;
let commands: CommandHost;
let authorities: string;
let env: { [name: string]: string };
let org: string;

beforeAll(async () => {
  database = await cloneDatabase();
  receiver = await webhookReceiver();
  const made = await makeCertificate(mkdtempSync(join(folder.path, 'mail-')));
  const file = (path: string) => readFileSync(path, 'utf8');
  mail = await smtpHost({ certificate: file(made.certificate), key: file(made.key), password: 'mail-password' });
  authorities = join(folder.path, 'authorities.pem');
  writeFileSync(authorities, `${receiver.ca}\n${made.ca}`);
  env = {
    DATABASE_URL: database.url,
    DATA_DIR: join(folder.path, 'data'),
    SECRET_KEY: 'k'.repeat(40),
    DNS_SERVERS: `${receiver.dns.address}:${receiver.dns.port}`,
    ALLOW_PRIVATE_ADDRESSES: 'on',
    APP_URL: 'https://app.ledger.example',
    SMTP_URL: `smtp://ledger:mail-password@localhost:${mail.port}`,
    MAIL_FROM: 'ledger@ledger.example',
    ENRICHMENT: 'off',
  };
  commands = openCommandHost({ NODE_EXTRA_CA_CERTS: authorities });
  org = (await json(['org', 'create', 'Shop'])).id;
});
afterAll(async () => {
  commands[Symbol.dispose]();
  await mail[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

function ran(args: string[], other: { [name: string]: string } = {}): Promise<Ran> {
  return commands.run(args, { ...env, ...other });
}

/** The one JSON document that a command prints, and nothing else. */
const json = (args: string[], other?: { [name: string]: string }) => jsonOf(ran([...args, '--json'], other));

async function raise(title: string): Promise<void> {
  await database.pool.query(
    `insert into event (org_id, id, type, severity, domain, dedup_key, title, message, link)
     select id, $1::uuid, 'dmarc_record_missing', 'critical', 'shop.example', 'key', $2::text, $2::text || '.', '/domains/shop.example'
     from organization`,
    [newId(), title],
  );
}

it('add calls what is no target wrong usage, and so does a command about one', async () => {
  const added = await ran(['webhook', 'add', 'ftp://hooks.example.com/', '--org', org]);
  expect(added).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(/^dmarc-ledger: Give an https: URL/),
  });
  const shown = await ran(['webhook', 'log', 'x']);
  expect(shown).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(/x is not the id of a target; see: /),
  });
});

it.each([
  ['slack', 'blocks'],
  ['teams', 'attachments'],
])('a channel of %s gets a message of its own kind, and no list shows what opens it', async (format, field) => {
  const url = receiver.url(`/services/opens-the-${format}-channel`);
  const added = await json(['webhook', 'add', url, '--org', org, '--format', format]);
  expect(added.secret).toBeNull();
  expect(await json(['webhook', 'test', added.id])).toMatchObject({ delivered: true, status: 204 });
  const { body, headers } = receiver.received.at(-1)!;
  expect(JSON.parse(body)).toHaveProperty(field);
  expect(body).toContain('Test of DMARC Ledger');
  expect(headers['webhook-signature']).toBeUndefined();
  const { stdout } = await ran(['webhook', 'list']);
  expect(stdout).toContain(format);
  expect(stdout).not.toContain('opens-the');
  const signed = await ran(['webhook', 'add', url, '--org', org, '--format', format, '--secret-env', 'HOOK_SECRET']);
  expect(signed).toMatchObject({ code: 2, stderr: expect.stringContaining('not signed') });
  expect(await json(['webhook', 'remove', added.id])).toEqual({ id: added.id, removed: true });
});

it('a webhook is added, tested, notified of events by the services, logged and removed; its secret is shown once', async () => {
  const url = receiver.url('/hook');
  const added = await json(['webhook', 'add', url, '--org', org, '--min-severity', 'warning']);
  expect(added).toEqual({ id: expect.stringMatching(/^\w{26}$/), secret: expect.stringMatching(/^whsec_/) });
  const again = await ran(['webhook', 'add', url, '--org', org, '--min-severity', 'warning']);
  expect(again.stdout).toContain('the target was there already');
  expect(again.stdout).toContain('its earlier secret no longer works');
  const { id, secret, was_known } = await json(['webhook', 'add', url, '--org', org, '--min-severity', 'warning']);
  expect({ id, was_known }).toEqual({ id: added.id, was_known: true });
  const list = await ran(['webhook', 'list', '--json']);
  expect(JSON.parse(list.stdout)).toEqual([
    {
      id,
      org,
      kind: 'webhook',
      address: url,
      types: [],
      min_severity: 'warning',
      state: 'on',
      code: null,
      created: expect.any(String),
    },
  ]);
  receiver.answers['/hook'] = [{ status: 202, body: 'thanks\u001b[2J' }, 204];
  expect(await json(['webhook', 'test', id])).toMatchObject({ delivered: true, status: 202, code: null });
  const hook = receiver.received.at(-1);
  expect(new Webhook(secret).verify(hook!.body, hook!.headers)).toMatchObject({ type: 'test', severity: 'info' });

  const services = { ...env, NODE_EXTRA_CA_CERTS: authorities };
  const scheduler = startService('scheduler', services);
  const worker = startService('worker', services);
  await Promise.all([scheduler.ready, worker.ready]);
  await raise('DMARC record removed for shop.example');
  await vi.waitFor(async () => {
    expect(await json(['webhook', 'log', id])).toMatchObject([
      { title: 'DMARC record removed for shop.example', state: 'delivered', tries: 1, status: 204, next_try: null },
    ]);
  }, patient);
  const received = receiver.received.at(-1)!;
  expect(new Webhook(secret).verify(received.body, received.headers)).toMatchObject({
    type: 'dmarc_record_missing',
    link: `https://app.ledger.example/domains/shop.example?org=${org}`,
    organization_id: org,
  });
  await Promise.all([scheduler.end('SIGTERM'), worker.end('SIGTERM')]);
  for (const said of [list.stdout, scheduler.log(), worker.log()]) {
    expect(said).not.toContain(secret.slice('whsec_'.length));
    expect(said).not.toContain('mail-password');
  }

  receiver.answers['/hook'] = [500];
  const failed = await ran(['webhook', 'test', id]);
  expect(failed).toMatchObject({ code: 1, stderr: 'dmarc-ledger: The test event did not arrive: status 500.\n' });
  expect(await json(['webhook', 'remove', id])).toEqual({ id, removed: true });
  expect((await ran(['webhook', 'remove', id])).stderr).toMatch(/has been removed/);
  expect(await json(['webhook', 'log', id, '--limit', '1'])).toHaveLength(1);
});

it('a secret of one’s own is taken, and not shown on the way', async () => {
  const url = receiver.url('/own');
  const { id } = await json(['webhook', 'add', url, '--org', org, '--secret-env', 'OWN'], { OWN: ownSecret });
  await json(['webhook', 'test', id]);
  const { body, headers } = receiver.received.at(-1)!;
  expect(new Webhook(ownSecret).verify(body, headers)).toMatchObject({ type: 'test' });
});

it('mail is tested as webhooks are, and says when there is no server for it', async () => {
  const { id, secret } = await json(['webhook', 'add', 'mailto:a@shop.example,b@shop.example', '--org', org]);
  expect(secret).toBeNull();
  expect(await json(['webhook', 'test', id])).toMatchObject({ delivered: true, status: 250 });
  expect(mail.taken.at(-1)).toMatchObject({ to: ['a@shop.example', 'b@shop.example'], user: 'ledger' });
  expect(mail.taken.at(-1)!.text).toContain('Subject: Test of DMARC Ledger');
  const added = ['webhook', 'add', 'mailto:c@shop.example', '--org', org];
  expect((await ran(added, { SMTP_URL: '', MAIL_FROM: '' })).stderr).toContain('No mail is sent until SMTP_URL');
  expect((await ran(added)).stderr).toBe('');
  const without = await ran(['webhook', 'test', id], { SMTP_URL: '', MAIL_FROM: '' });
  expect(without).toMatchObject({ code: 1, stderr: expect.stringContaining('email_not_configured') });
  const half = await ran(['webhook', 'test', id], { MAIL_FROM: '' });
  expect(half).toMatchObject({ code: 1, stderr: expect.stringContaining('SMTP_URL needs MAIL_FROM') });
});

it('an invitation is printed, and mailed where there is a mail server', async () => {
  const invited = await json(['user', 'invite', 'nora@shop.example', '--org', org, '--role', 'viewer']);
  expect(invited).toMatchObject({
    mailed: true,
    url: expect.stringMatching(/^https:\/\/app\.ledger\.example\/sign-in/),
  });
  expect(Object.keys(invited)).toEqual(['url', 'expires_at', 'mailed']);
  expect(mail.taken.at(-1)).toMatchObject({ to: ['nora@shop.example'] });
  expect(
    mail.taken
      .at(-1)
      ?.text.replaceAll(/=\r?\n/g, '')
      .replaceAll('=3D', '='),
  ).toContain(invited.url);
  const half = await ran(['user', 'invite', 'x@shop.example', '--org', org, '--role', 'viewer'], { MAIL_FROM: '' });
  expect(half).toMatchObject({ code: 1, stderr: expect.stringContaining('SMTP_URL needs MAIL_FROM') });
  const without = await ran(['user', 'invite', 'x@shop.example', '--org', org, '--role', 'viewer'], { SMTP_URL: '' });
  expect(without).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('/sign-in/link?token=') });
});

it('operators are named, listed and ended', async () => {
  expect((await ran(['user', 'operator', 'stranger@shop.example', '--on'])).stderr).toContain(
    'belongs to no organization',
  );
  expect((await ran(['user', 'operator', 'nora@shop.example'])).stderr).toContain('--on or --off');
  expect(await json(['user', 'operator', 'nora@shop.example', '--on'])).toMatchObject({ operator: true });
  expect(await json(['user', 'operator'])).toEqual([{ email: 'nora@shop.example' }]);
  const misspelt = await ran(['user', 'operator', 'norah@shop.example', '--off']);
  expect(misspelt).toMatchObject({ code: 1, stderr: expect.stringContaining('norah@shop.example is no operator') });
  expect(await json(['user', 'operator', 'Nora@shop.example', '--off'])).toMatchObject({ operator: false });
  expect(await json(['user', 'operator'])).toEqual([]);
});
