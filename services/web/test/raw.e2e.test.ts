import { createHash } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { openBlobs, type BlobStore } from '@dmarc-ledger/blobs';
import { startIngester } from '@dmarc-ledger/ingester-service';
import { createOrganization } from '@dmarc-ledger/ledger';
import { createTicket } from '@dmarc-ledger/ledger/for-web';
import { receiveMessages } from '@dmarc-ledger/pipeline';
import { openLogger } from '@dmarc-ledger/runtime';
import { reportMail, reportXml } from '@dmarc-ledger/testkit';
import { idText, type Role } from '@dmarc-ledger/vocabulary';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { temporaryFolder } from '../../../test/support/folder.ts';
import { openPagesWorld, type PagesWorld } from '../../../test/support/pages.ts';

const stack = new AsyncDisposableStack();
const MARKUP = '<script>globalThis.pwned=1</script><img src=x onerror="globalThis.pwned=1">';
const RECORDS = 25_000;
const xml = reportXml({ reporter: 'Reporter', id: 'raw-1', records: [{ ip: '192.0.2.1', count: 3, dkim: 'pass' }] });
const hostileXml = Buffer.from(`${xml.toString().replace('raw-1', 'raw-2')}<!-- ${MARKUP} \u202E -->`);
const largeXml = reportXml({
  id: 'raw-3',
  records: Array.from({ length: RECORDS }, (_, i) => ({ ip: `10.0.${i >> 8}.${i & 255}`, count: 1 })),
});
const mail = reportMail({ xml, subject: MARKUP });
let world: PagesWorld;
let blobs: BlobStore;
let ingestUrl: string;
let theirs: string;

beforeAll(async () => {
  blobs = await openBlobs(pathToFileURL(stack.use(temporaryFolder()).path).href);
  world = await openPagesWorld({
    async ingestUrl(database) {
      const ingester = await startIngester({
        database,
        blobs,
        log: openLogger({ name: 'raw', level: 'silent' }),
        upload: { host: '127.0.0.1', port: 0 },
      });
      stack.defer(async () => await ingester.close());
      ingestUrl = ingester.uploadUrl ?? '';
      return ingester.uploadUrl;
    },
  });
  theirs = (await createOrganization(world.database.db, { name: 'Another Ltd' })).id;
});
afterAll(async () => {
  await stack.disposeAsync();
  await world[Symbol.asyncDispose]();
});

/** Takes a delivery in, and returns its id with that of its report. */
async function given(orgId: string, content: Buffer, name: string | null, source: 'mailbox' | 'upload' = 'upload') {
  const { database } = world;
  const arrival = { content: [content], source, name } as never;
  const [received] = await receiveMessages({ database, blobs }, orgId, [arrival]);
  const id = received?.id ?? '';
  const report = await vi.waitFor(
    async () => {
      const row = await database.db
        .selectFrom('raw_message')
        .select(['state', 'parts'])
        .where('org_id', '=', orgId)
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      expect(row.state).toBe('stored');
      return row.parts?.[0]?.reports[0]?.id ?? '';
    },
    { timeout: 60_000, interval: 100 },
  );
  return { delivery: idText(id), report: idText(report) };
}

const cookies = new Map<Role, string>();

async function cookieOf(role: Role): Promise<string> {
  const known = cookies.get(role);
  if (known !== undefined) return known;
  const page = await world.signedIn(`${role}@raw.example`, role);
  const all = await page.context().cookies();
  await page.context().close();
  const cookie = all.map(({ name, value }) => `${name}=${value}`).join('; ');
  cookies.set(role, cookie);
  return cookie;
}

async function ask(path: string, cookie: string) {
  return await fetch(`${world.origin}${path}`, { headers: { cookie }, redirect: 'manual' });
}

async function bytesOf(response: Response): Promise<Buffer> {
  return Buffer.from(await response.arrayBuffer());
}

it('leads from a report to its XML and to the mail it came in, with what became of it', async () => {
  const { report, delivery } = await given(world.orgId, mail, 'report.eml', 'mailbox');
  const page = await world.signedIn();
  await page.goto(`/reports/${report}`);
  const text = await page.textContent('main');
  expect(text).toContain('How it came in');
  expect(text).toContain(createHash('sha256').update(xml).digest('hex'));
  expect(text).toContain(createHash('sha256').update(mail).digest('hex'));
  await page.getByRole('link', { name: 'Show the XML' }).click();
  expect(await page.locator('pre').textContent()).toBe(xml.toString());
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Save the XML' }).click(),
  ]);
  expect(saved.suggestedFilename()).toBe(`report-${report}.xml`);

  const cookie = await cookieOf('admin');
  expect((await bytesOf(await ask(`/reports/${report}/xml?save=1`, cookie))).equals(xml)).toBe(true);
  const asMail = await ask(`/settings/ingest/${delivery}/raw`, cookie);
  expect(asMail.headers.get('content-disposition')).toBe(`attachment; filename="delivery-${delivery}.eml"`);
  expect((await bytesOf(asMail)).equals(mail)).toBe(true);
  await page.context().close();
});

it('shows hostile XML as text, and saves it so that no browser runs it', async () => {
  const { report } = await given(world.orgId, gzipSync(hostileXml), `x";${MARKUP}.xml.gz`);
  const page = await world.signedIn();
  await page.goto(`/reports/${report}/xml`);
  expect(await page.locator('pre').textContent()).toContain(MARKUP);
  expect(await page.locator('pre').textContent()).not.toContain('\u202E');
  expect(await page.evaluate('globalThis.pwned')).toBeUndefined();
  expect(await page.locator('img').count()).toBe(0);
  const saved = await ask(`/reports/${report}/xml?save=1`, await cookieOf('owner'));
  expect(saved.headers.get('content-type')).toBe('application/octet-stream');
  expect(saved.headers.get('content-disposition')).toMatch(/^attachment; filename="[\w.-]+"$/);
  expect(saved.headers.get('x-content-type-options')).toBe('nosniff');
  expect(saved.headers.get('content-security-policy')).toContain('sandbox');
  expect(saved.headers.get('cache-control')).toBe('private, no-store');
  expect((await bytesOf(saved)).equals(hostileXml)).toBe(true);
  await page.context().close();
});

it('streams a large report to its last byte, and shows its beginning', async () => {
  expect(largeXml.length).toBeGreaterThan(8 * 1024 ** 2);
  const { report, delivery } = await given(world.orgId, gzipSync(largeXml), 'large.xml.gz');
  const cookie = await cookieOf('analyst');
  expect((await bytesOf(await ask(`/reports/${report}/xml?save=1`, cookie))).equals(largeXml)).toBe(true);
  const shown = await (await ask(`/reports/${report}/xml`, cookie)).text();
  expect(shown).toContain('These are the first');
  expect(gzipSync(shown).length).toBeLessThan(30_000);
  const whole = await ask(`/settings/ingest/${delivery}/raw`, await cookieOf('admin'));
  expect(gunzipSync(await bytesOf(whole)).equals(largeXml)).toBe(true);
}, 120_000);

it('opens raw bytes for the roles that may, of their own organization alone', async () => {
  const own = await given(world.orgId, gzipSync(reportXml({ id: 'own' })), 'own.xml.gz');
  const other = await given(theirs, gzipSync(reportXml({ id: 'other' })), 'other.xml.gz');
  const may: { [role in Role]: [number, number] } = {
    owner: [200, 200],
    admin: [200, 200],
    analyst: [200, 403],
    viewer: [403, 403],
    integration: [403, 403],
  };
  for (const [role, [xmlStatus, mailStatus]] of Object.entries(may) as [Role, [number, number]][]) {
    const cookie = await cookieOf(role);
    const statuses = async ({ report, delivery }: { report: string; delivery: string }) => [
      (await ask(`/reports/${report}/xml`, cookie)).status,
      (await ask(`/reports/${report}/xml?save=1`, cookie)).status,
      (await ask(`/settings/ingest/${delivery}/raw`, cookie)).status,
    ];
    expect({ role, statuses: await statuses(own) }).toEqual({ role, statuses: [xmlStatus, xmlStatus, mailStatus] });
    const refused = (await statuses(other)).every((status) => status === 403 || status === 404);
    expect({ role, refused }).toEqual({ role, refused: true });
  }
  const owner = await cookieOf('owner');
  for (const [path, status] of [
    ['/reports/not-an-id/xml', 404],
    [`/reports/${own.delivery}/xml`, 404],
    [`/reports/${own.report}/xml?copy=zz`, 400],
    [`/reports/${own.report}/xml?copy=${'0'.repeat(64)}`, 404],
    ['/settings/ingest/not-an-id/raw', 404],
    [`/settings/ingest/${own.report}/raw`, 404],
  ] as const)
    expect({ path, status: (await ask(path, owner)).status }).toEqual({ path, status });
});

it('gives no mail of a shared mailbox to an organization that has a part in it', async () => {
  const { report, delivery } = await given(world.orgId, gzipSync(reportXml({ id: 'part' })), 'part.xml.gz');
  const shared = { only_domains: ['example.com'] };
  await world.database.db.updateTable('raw_message').set(shared).where('name', '=', 'part.xml.gz').execute();
  const owner = await cookieOf('owner');
  expect((await ask(`/settings/ingest/${delivery}/raw`, owner)).status).toBe(403);
  expect((await ask(`/reports/${report}/xml`, owner)).status).toBe(200);
  const nothing = { only_domains: ['another.example'] };
  await world.database.db.updateTable('raw_message').set(nothing).where('name', '=', 'part.xml.gz').execute();
  expect((await ask(`/reports/${report}/xml`, owner)).status).toBe(403);
});

it('says that raw bytes were deleted', async () => {
  const { report, delivery } = await given(world.orgId, gzipSync(reportXml({ id: 'old' })), 'old.xml.gz');
  const purged = { bytes_purged_at: new Date() };
  await world.database.db.updateTable('raw_message').set(purged).where('name', '=', 'old.xml.gz').execute();
  const owner = await cookieOf('owner');
  expect((await ask(`/reports/${report}/xml`, owner)).status).toBe(410);
  expect((await ask(`/settings/ingest/${delivery}/raw`, owner)).status).toBe(410);
  expect(await (await ask(`/reports/${report}`, owner)).text()).toContain('deleted, as it was older');
});

it('opens raw bytes once for a ticket, and not for a ticket of another purpose', async () => {
  const { report } = await given(world.orgId, gzipSync(reportXml({ id: 'ticket' })), 'ticket.xml.gz');
  const { id } = await world.database.db
    .selectFrom('report')
    .select('id')
    .where('report_id', '=', 'ticket')
    .executeTakeFirstOrThrow();
  expect(idText(id)).toBe(report);
  const open = async (token: string, wanted: object = { what: 'report', id }) =>
    await fetch(`${ingestUrl}/ingest/v1/raw`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify(wanted),
    });
  const { db } = world.database;
  const token = await createTicket(db, world.orgId, 'raw');
  expect((await open(token)).status).toBe(200);
  expect((await open(token)).status).toBe(401);
  for (const purpose of ['upload', 'settings'] as const)
    expect((await open(await createTicket(db, world.orgId, purpose))).status).toBe(401);
  expect((await open(await createTicket(db, theirs, 'raw'))).status).toBe(404);
  expect((await open(await createTicket(db, world.orgId, 'raw'), { what: 'report', id: '../x' })).status).toBe(400);
});
