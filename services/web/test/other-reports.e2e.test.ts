import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { openBlobs } from '@dmarc-ledger/blobs';
import { startIngester } from '@dmarc-ledger/ingester-service';
import { createOrganization } from '@dmarc-ledger/ledger';
import { receiveMessages } from '@dmarc-ledger/pipeline';
import { openLogger } from '@dmarc-ledger/runtime';
import { addDays, idText } from '@dmarc-ledger/vocabulary';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { temporaryFolder } from '../../../test/support/folder.ts';
import { openPagesWorld, type PagesWorld } from '../../../test/support/pages.ts';

const TWO_DOMAINS = new URL(
  '../../../packages/tlsrpt/test/fixtures/001-as-the-standard-has-it.report.json',
  import.meta.url,
);
const MARKUP = '<script>globalThis.pwned=1</script>';
const today = new Date().toISOString().slice(0, 10);
const stack = new AsyncDisposableStack();
let world: PagesWorld;
let take: (orgId: string, contents: readonly Buffer[]) => Promise<void>;

beforeAll(async () => {
  const blobs = await openBlobs(pathToFileURL(stack.use(temporaryFolder()).path).href);
  world = stack.use(
    await openPagesWorld({
      async ingestUrl(database) {
        const log = openLogger({ name: 'tls', level: 'silent' });
        const ingester = await startIngester({ database, blobs, log, upload: { host: '127.0.0.1', port: 0 } });
        stack.defer(async () => await ingester.close());
        return ingester.uploadUrl;
      },
    }),
  );
  const { database } = world;
  take = async (orgId, contents) => {
    const arrivals = contents.map((content, i) => ({ content, source: 'upload' as const, name: `delivery-${i}` }));
    const ids = (await receiveMessages({ database, blobs }, orgId, arrivals)).map(({ id }) => id);
    await vi.waitFor(
      async () => {
        const rows = database.db.selectFrom('raw_message').select('id').where('id', 'in', ids);
        const stored = await rows.where('state', '=', 'stored').execute();
        if (stored.length < ids.length) throw new Error('not all are stored');
      },
      { timeout: 60_000, interval: 100 },
    );
  };
  await take(world.orgId, [
    tlsReport('harbor-1', { reporter: 'Blue Harbor', expired: 7, refused: 3 }),
    tlsReport('harbor-2', { reporter: 'Blue Harbor', expired: 5 }),
    tlsReport('tide-1', { reporter: MARKUP, refused: 4, remark: MARKUP }),
    tlsReport('quiet-1', { reporter: 'Quiet Bay' }),
  ]);
});
afterAll(async () => await stack.disposeAsync());

interface Said {
  reporter: string;
  /** Sessions that failed for a cause, at a server. */
  expired?: number;
  refused?: number;
  remark?: string;
  domain?: string;
}

function tlsReport(id: string, { reporter, expired = 0, refused = 0, remark = '', domain = 'shop.example' }: Said) {
  const failures = [
    { 'result-type': 'certificate-expired', 'receiving-mx-hostname': 'mx2.shop.example', count: expired },
    { 'result-type': 'starttls-not-supported', 'failure-reason-code': remark, count: refused },
  ];
  const details = failures.filter(({ count }) => count > 0);
  return Buffer.from(
    JSON.stringify({
      'organization-name': reporter,
      'date-range': { 'start-datetime': `${today}T00:00:00Z`, 'end-datetime': `${today}T23:59:59Z` },
      'report-id': id,
      policies: [
        {
          policy: { 'policy-type': 'sts', 'policy-string': ['mode: enforce'], 'policy-domain': domain },
          summary: { 'total-successful-session-count': 90, 'total-failure-session-count': expired + refused },
          'failure-details': details.map(({ count, ...rest }) => ({ ...rest, 'failed-session-count': count })),
        },
      ],
    }),
  );
}

it('leads from a sum of failed TLS sessions to its reports, whose sessions add up to it, and on to the delivery', async () => {
  const page = await world.signedIn();
  await page.goto('/tls');
  const cause = page.getByRole('row', { name: /certificate-expired/ });
  expect(await cause.textContent()).toContain('12');
  await cause.getByRole('link', { name: '2', exact: true }).click();
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('TLS reports');
  const rows = page.locator('tbody tr');
  const failed = await rows.locator('td:nth-child(5)').allTextContents();
  expect(failed.map(Number).toSorted((a, b) => a - b)).toEqual([5, 7]);
  expect(await page.textContent('main')).toContain('Only reports of certificate-expired at mx2.shop.example');

  const seven = rows.filter({ has: page.getByRole('cell', { name: '7', exact: true }) });
  await seven.getByRole('link').click();
  const text = await page.textContent('main');
  for (const part of ['Blue Harbor about TLS', 'harbor-1', 'MTA-STS', 'mode: enforce', 'mx2.shop.example'])
    expect(text).toContain(part);
  expect(await page.locator('table').last().locator('tbody tr').count()).toBe(2);

  await page.getByRole('link', { name: 'delivery-0' }).click();
  expect(await page.textContent('main')).toContain('stored');
  await page.locator('tbody a[href^="/tls/reports/"]').click();
  expect(await page.textContent('main')).toContain('harbor-1');
});

it.each([
  { domain: 'xn--bcher-kva.example', sessions: ': 7 sessions', causes: 0, listed: ['7', '0'] },
  { domain: 'shop.example', sessions: ': 4,043 sessions', causes: 2, listed: ['4,012', '31'] },
  { domain: '', sessions: ': 4,050 sessions', causes: 2, listed: ['4,019', '31'] },
])(
  'counts, with the domain "$domain", what a report about two domains says of it',
  async ({ domain, sessions, causes, listed }) => {
    const { id: orgId } = await createOrganization(world.database.db, { name: `Two domains, ${domain}` });
    await take(orgId, [Buffer.from(readFileSync(TWO_DOMAINS, 'utf8').replaceAll('2026-03-01', today))]);
    const page = await world.signedIn(`owner@${domain || 'all.example'}`, 'owner', orgId);
    await page.goto(`/tls?domain=${domain}`);
    expect(await page.textContent('main')).toContain(sessions);
    expect(await page.getByRole('row', { name: 'mx.shop.example' }).count()).toBe(causes);
    await page.goto(`/tls/reports?domain=${domain}`);
    const figures = page.locator('tbody tr td.number');
    expect(await figures.allTextContents()).toEqual(listed);
  },
);

it('lists every cause of failed sessions, page by page and in the file, however many a stranger reports', async () => {
  const { db } = world.database;
  const { id: orgId } = await createOrganization(db, { name: 'Many causes' });
  const details = Array.from({ length: 1_200 }, (_, i) => ({
    'result-type': 'validation-failure',
    'receiving-mx-hostname': `mx${i}.forged.example`,
    'failed-session-count': 1_000_000,
  }));
  const forged = JSON.parse(tlsReport('forged', { reporter: 'Stranger', domain: 'forged.example' }).toString());
  forged.policies[0]['failure-details'] = details;
  await take(orgId, [Buffer.from(JSON.stringify(forged)), tlsReport('real', { reporter: 'Blue Harbor', expired: 7 })]);
  const page = await world.signedIn('owner@many.example', 'owner', orgId);
  await page.goto('/tls');
  expect(await page.textContent('main')).toContain('1 to 50 of 1,201');
  await page.goto('/tls?offset=1200');
  expect(await page.locator('tbody').first().getByRole('row').allTextContents()).toEqual([
    expect.stringContaining('certificate-expired'),
  ]);
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Save as CSV' }).click(),
  ]);
  const lines = readFileSync((await saved.path())!, 'utf8')
    .trim()
    .split('\r\n');
  expect(lines).toHaveLength(1 + 1_201);
  expect(new Set(lines).size).toBe(lines.length);
});

it('does not say that every session was encrypted where a report counts failed ones without a cause', async () => {
  const { id: orgId } = await createOrganization(world.database.db, { name: 'Without a cause' });
  const report = JSON.parse(tlsReport('vague', { reporter: 'Vague', expired: 9 }).toString());
  delete report.policies[0]['failure-details'];
  await take(orgId, [Buffer.from(JSON.stringify(report))]);
  const page = await world.signedIn('owner@vague.example', 'owner', orgId);
  await page.goto('/tls');
  expect(await page.textContent('main')).toContain('Sessions failed, but no report says why.');
});

it('finds the failures for which a report names no server, and lists every report without a filter', async () => {
  const page = await world.signedIn('nameless@example.com', 'analyst');
  await page.goto('/tls');
  const cause = page.getByRole('row', { name: /starttls-not-supported/ });
  await cause.getByRole('link', { name: '2', exact: true }).click();
  expect(await page.locator('tbody tr').count()).toBe(2);
  await page.getByRole('button', { name: 'Apply' }).click();
  expect(await page.locator('tbody tr').count()).toBe(2);
  await page.getByRole('link', { name: 'All reports' }).click();
  expect(await page.locator('tbody tr').count()).toBe(4);
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Save as CSV' }).click(),
  ]);
  const lines = readFileSync((await saved.path())!, 'utf8')
    .trim()
    .split('\r\n');
  expect(lines[0]).toBe('id,day,reporter,domains,sessions,failed_sessions,received_at');
  expect(lines).toHaveLength(5);
});

it('shows what a stranger writes in a TLS report as text, and adds up numbers of any size', async () => {
  const { id: orgId } = await createOrganization(world.database.db, { name: 'Exaggerated' });
  const most = Number.MAX_SAFE_INTEGER;
  const many = Array.from({ length: 1_100 }, (_, i) => tlsReport(`big-${i}`, { reporter: 'Big', expired: most }));
  await take(orgId, [...many, tlsReport('proto', { reporter: MARKUP, refused: 1, remark: MARKUP })]);
  const page = await world.signedIn('owner@exaggerated.example', 'owner', orgId);
  for (const path of ['/tls', '/tls/reports']) {
    expect((await page.goto(path))?.status()).toBe(200);
    expect(await page.evaluate(() => 'pwned' in globalThis)).toBe(false);
  }
  await page.getByRole('link', { name: 'Next' }).click();
  expect(await page.textContent('main')).toContain('51 to 100 of 1,101');
  await page.goto('/tls?domain=shop.example');
  expect(await page.textContent('main')).toContain('99,090 passed TLS');
  for (const text of ['%00', '%FF', 'x'.repeat(5_000), `%F0%9F%98%80`.repeat(200)])
    expect((await page.goto(`/tls/reports?of=${text}&cause=${text}&server=${text}`))?.status()).toBe(200);
  expect(world.faults).toEqual([]);
});

it('shows no TLS report of another organization, and none to a viewer', async () => {
  const { db } = world.database;
  const { id: theirs } = await createOrganization(db, { name: 'Another Ltd' });
  await take(theirs, [tlsReport('theirs-1', { reporter: 'Their reporter', domain: 'their.example', expired: 1 })]);
  const { id } = await db
    .selectFrom('tlsrpt_report')
    .select('id')
    .where('org_id', '=', theirs)
    .executeTakeFirstOrThrow();
  const page = await world.signedIn('curious@example.com', 'admin');
  expect((await page.goto(`/tls/reports/${idText(id)}`))?.status()).toBe(404);
  await page.goto('/tls/reports');
  expect(await page.textContent('main')).not.toContain('Their reporter');
  const viewer = await world.signedIn('viewer@example.com', 'viewer');
  expect((await viewer.goto('/tls/reports'))?.status()).toBe(403);
});

it('leads from a failure report to the mail that brought it', async () => {
  await take(world.orgId, [failureMail('shop.example')]);
  const page = await world.signedIn('admin@example.com', 'admin');
  await page.goto('/failures');
  await page
    .getByRole('row', { name: /shop\.example/ })
    .locator('a[href^="/settings/ingest/"]')
    .click();
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('delivery-0');
  expect(await page.getByRole('row', { name: /ruf/ }).textContent()).toContain('stored');
});

it('lists TLS and failure reports of any age until days are chosen', async () => {
  const { db } = world.database;
  const { id: orgId } = await createOrganization(db, { name: 'Long ago' });
  await take(orgId, [tlsReport('old-1', { reporter: 'Old Harbor', expired: 1 }), failureMail('old.example')]);
  const day = addDays(today, -400);
  await db.updateTable('tlsrpt_report').set({ day }).where('org_id', '=', orgId).execute();
  const received_at = new Date(`${day}T00:00:00Z`);
  await db.updateTable('failure_report').set({ received_at }).where('org_id', '=', orgId).execute();
  const page = await world.signedIn('owner@old.example', 'owner', orgId);
  for (const [path, row] of [
    ['/tls/reports', 'Old Harbor'],
    ['/failures', 'old.example'],
  ] as const) {
    await page.goto(path);
    expect([path, await page.getByRole('row', { name: row }).count()]).toEqual([path, 1]);
    await page.goto(`${path}?days=365`);
    expect([path, await page.getByRole('row', { name: row }).count()]).toEqual([path, 0]);
  }
});

/** A report on one message that failed. (RFC 6591) */
function failureMail(domain: string): Buffer {
  const part = (type: string, ...lines: string[]) => ['--b', `Content-Type: ${type}`, '', ...lines];
  const lines = [
    'Subject: DMARC failure',
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=feedback-report; boundary=b',
    '',
    ...part('text/plain', 'A message failed.'),
    ...part(
      'message/feedback-report',
      'Feedback-Type: auth-failure',
      'User-Agent: Harbor/1.0',
      'Version: 1',
      'Auth-Failure: dmarc',
      'Source-IP: 192.0.2.9',
      `Reported-Domain: ${domain}`,
      '',
    ),
    ...part('text/rfc822-headers', `From: <someone@${domain}>`, 'Subject: secret', ''),
    '--b--',
    '',
  ];
  return Buffer.from(lines.join('\r\n'));
}
