import type { SpfTerm } from '@dmarc-ledger/dns-records';
import { addDomain, createOrganization } from '@dmarc-ledger/ledger';
import { givenReports, givenSignatures } from '@dmarc-ledger/testkit';
import { idText, newId, normalizeDomain } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPagesWorld, type PagesWorld } from '../../../test/support/pages.ts';

let world: PagesWorld;
let reportId: string;
const address = '203.0.113.7';

/** Markup that runs where it is not escaped, in an element, an attribute, a link and a style. */
const MARKUP = `"><img src=x onerror="globalThis.pwned=1"><script>globalThis.pwned=1</script>' onfocus='globalThis.pwned=1`;

beforeAll(async () => {
  world = await openPagesWorld();
  const { db } = world.database;
  const { orgId } = world;
  const today = new Date().toISOString().slice(0, 10);
  const [id] = await givenReports(db, orgId, [
    {
      domain: 'example.com',
      reporter: MARKUP,
      reportId: MARKUP,
      begin: `${today}T00:00:00Z`,
      end: `${today}T23:59:59Z`,
      metadata: { begin: 1e18, email: MARKUP, extraContactInfo: MARKUP, generator: MARKUP, errors: [MARKUP] },
      warnings: [{ code: 'unknown_element', detail: MARKUP }],
      records: [
        {
          ip: address,
          text: MARKUP,
          count: 5,
          headerFrom: MARKUP,
          envelopeFrom: MARKUP,
          envelopeTo: MARKUP,
          reasons: [{ type: 'other', comment: MARKUP }],
          dkimResults: [{ domain: MARKUP, selector: MARKUP, result: 'fail', humanResult: MARKUP }],
          spfResults: [{ domain: MARKUP, scope: 'mfrom', result: 'fail', humanResult: MARKUP }],
        },
      ],
    },
  ]);
  reportId = idText(id ?? '');
  const row = { org_id: orgId, id: newId() };
  await db
    .insertInto('raw_message')
    .values({
      ...row,
      sha256: Buffer.alloc(32),
      size: 10,
      source: 'upload',
      name: MARKUP,
      state: 'refused',
      code: 'not_a_report',
      finished_at: new Date(),
      parts: JSON.stringify([
        {
          path: MARKUP,
          kind: null,
          sha256: null,
          outcome: 'refused',
          code: 'not_a_report',
          message: MARKUP,
          reports: [],
          warnings: [MARKUP],
        },
      ]),
    } as never)
    .execute();
  delivery = idText(row.id);
  await givenHostileZone(orgId, today);
  await db
    .insertInto('event')
    .values({
      org_id: orgId,
      id: newId(),
      type: 'new_source',
      dedup_key: 'one',
      severity: 'info',
      title: MARKUP,
      message: MARKUP,
      domain: 'example.com',
      link: '/events',
    } as never)
    .execute();
});
let delivery: string;

afterAll(async () => await world[Symbol.asyncDispose]());

/** What a stranger's zone and name servers say, and a selector that passed, all with markup. */
async function givenHostileZone(orgId: string, day: string) {
  const { db } = world.database;
  const domain = db.selectFrom('domain').select('id').where('org_id', '=', orgId).where('name', '=', 'example.com');
  const { id: domainId } = await domain.executeTakeFirstOrThrow();
  await givenSignatures(db, orgId, [{ domainId, signer: MARKUP, selector: MARKUP, day, messages: 5 }]);
  const term: SpfTerm = {
    text: MARKUP,
    name: 'include',
    qualifier: '+',
    state: 'broken',
    target: MARKUP,
    record: MARKUP,
    networks: [],
    isLookup: true,
    isVoid: false,
    terms: [],
  };
  const nested = Array.from({ length: 20 }).reduce<SpfTerm>((below) => ({ ...term, terms: [below, term] }), term);
  const servers = ['a', 'b'].map((name) => ({
    server: `${name}${MARKUP}`,
    outcome: 'found',
    records: [`${name}${MARKUP}`],
    alias: MARKUP,
    reason: MARKUP,
  }));
  const answers = [{ name: MARKUP, servers }];
  const bodies = {
    spf_tree: { domain: MARKUP, record: MARKUP, terms: [nested], isComplete: true },
    name_servers: { dmarc: answers, spf: answers, dkim: answers },
  };
  for (const [subject, body] of Object.entries(bodies))
    await sql`insert into domain_evidence (org_id, domain_id, subject, body, read_at)
      values (${orgId}, ${domainId}, ${subject}, ${JSON.stringify(body)}::jsonb, now())`.execute(db);
}

it('shows markup in every field that a reporter controls as text, and runs none of it', async () => {
  const page = await world.signedIn();
  const policyBreaches: string[] = [];
  page.on('console', (message) => {
    if (/Content Security Policy/.test(message.text())) policyBreaches.push(message.text());
  });
  const paths = [
    '/',
    '/domains',
    '/senders',
    `/sources/${address}`,
    '/reports',
    `/reports/${reportId}`,
    '/events',
    '/domains/example.com/spf',
    '/domains/example.com/dkim',
    '/domains/example.com/dns/dmarc',
    '/domains/example.com/dns/spf',
    '/domains/example.com/dns/dkim',
    '/settings/ingest',
    `/settings/ingest/${delivery}`,
  ];
  let shown = 0;
  for (const path of paths) {
    const response = await page.goto(path);
    expect({ path, status: response?.status() }).toEqual({ path, status: 200 });
    expect(await page.evaluate('globalThis.pwned')).toBeUndefined();
    expect(await page.locator('img, script:not([src])').count()).toBe(0);
    shown += (await page.getByText('<img src=x').count()) > 0 ? 1 : 0;
  }
  expect(shown).toBeGreaterThanOrEqual(11);
  expect(policyBreaches).toEqual([]);
});

it('keeps a row of a list low, however long the name of a reporter is', async () => {
  const { id } = await createOrganization(world.database.db, { name: 'Long names' });
  const records = [{ ip: address, count: 5 }];
  await givenReports(world.database.db, id, [{ domain: 'example.com', reporter: 'W'.repeat(255), records }]);
  const page = await world.signedIn('long@example.com', 'owner', id, { viewport: { width: 390, height: 900 } });
  await page.goto('/reports');
  const row = page.locator('tbody tr');
  expect((await row.boundingBox())!.height).toBeLessThan(100);
  expect(await row.locator('.clamp').getAttribute('title')).toBe('W'.repeat(255));
});

it('shows the first of the results, reasons and errors that a record or a report has by the hundred', async () => {
  const { id: org } = await createOrganization(world.database.db, { name: 'Hundreds' });
  const [name, comment] = ['w.'.repeat(127), 'c.'.repeat(512)]; // as long as they are stored
  const dkimResults = Array.from({ length: 100 }, () => ({ domain: name, selector: name, result: 'fail' as const }));
  const spfResults = Array.from({ length: 100 }, () => ({
    domain: name,
    scope: 'mfrom' as const,
    result: 'fail' as const,
  }));
  const reasons = Array.from({ length: 20 }, () => ({ type: 'other' as const, comment }));
  const records = Array.from({ length: 100 }, (_, i) => ({ ip: `203.0.113.${i}`, dkimResults, spfResults, reasons }));
  const metadata = { errors: Array.from({ length: 100 }, () => comment) };
  const [id = ''] = await givenReports(world.database.db, org, [{ domain: 'example.com', metadata, records }]);
  const page = await world.signedIn('hundreds@example.com', 'owner', org);
  await page.goto(`/reports/${idText(id)}`);
  expect((await page.content()).length).toBeLessThan(4_000_000);
  const first = page.locator('tbody tr').first();
  expect(await first.getByText('and 90 more', { exact: true }).count()).toBe(2);
  expect(await first.getByText('and 10 more', { exact: true }).count()).toBe(1);
  expect(await page.locator('dd').filter({ hasText: '; and 90 more' }).count()).toBe(1);
});

it('is as wide as a phone, however long a word is', async () => {
  const { id: org } = await createOrganization(world.database.db, { name: 'Wide' });
  const word = 'W'.repeat(1_024);
  const [id = ''] = await givenReports(world.database.db, org, [
    {
      domain: 'example.com',
      reporter: word.slice(0, 255),
      reportId: word.slice(0, 255),
      metadata: { email: word, extraContactInfo: word, generator: word, errors: [word] },
      warnings: [{ code: 'element_unknown', detail: word }],
      records: [{ ip: address, envelopeFrom: word, envelopeTo: word, reasons: [{ type: 'other', comment: word }] }],
    },
  ]);
  const page = await world.signedIn('wide@example.com', 'owner', org, { viewport: { width: 390, height: 900 } });
  for (const path of ['/', '/reports', `/reports/${idText(id)}`, '/reporters', '/domains/example.com/coverage']) {
    await page.goto(path);
    expect([path, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([path, 390]);
  }
});

it('shows a delivery of thousands of documents page by page', async () => {
  const { id: org } = await createOrganization(world.database.db, { name: 'Archives' });
  const part = { kind: 'rua', sha256: null, outcome: 'stored', code: null, message: null, reports: [], warnings: [] };
  const parts = Array.from({ length: 1_000 }, (_, i) => ({ ...part, path: `archive.zip/${i}.xml` }));
  const archive = { org_id: org, id: newId(), sha256: Buffer.alloc(32), size: 10, source: 'upload', state: 'stored' };
  await world.database.db
    .insertInto('raw_message')
    .values({ ...archive, name: 'archive.zip', finished_at: new Date(), parts: JSON.stringify(parts) } as never)
    .execute();
  const page = await world.signedIn('archives@example.com', 'owner', org);
  await page.goto(`/settings/ingest/${idText(archive.id)}`);
  let seen = await page.locator('tbody tr').count();
  while ((await page.getByRole('link', { name: 'Next' }).count()) > 0) {
    await page.getByRole('link', { name: 'Next' }).click();
    await page.waitForLoadState();
    expect(await page.locator('tbody tr').count()).toBe(200);
    seen += 200;
  }
  expect(seen).toBe(1_000);
});

it('shows a domain with the longest name that there is, in either form', async () => {
  const { id: org } = await createOrganization(world.database.db, { name: 'Long domains' });
  const written = `${'ü'.repeat(50)}.${'ü'.repeat(50)}.${'ü'.repeat(50)}.example`;
  const names = [
    `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(50)}.example`,
    normalizeDomain(written),
  ];
  for (const domain of names) await givenReports(world.database.db, org, [{ domain, records: [{ ip: address }] }]);
  const page = await world.signedIn('domains@example.com', 'owner', org, { viewport: { width: 390, height: 900 } });
  for (const name of [...names, written])
    for (const path of ['', '/spf', '/dkim', '/dns/dmarc', '/enforce', '/coverage', '/bulk-sender']) {
      const response = await page.goto(`/domains/${name}${path}`);
      expect([path, response?.status()]).toEqual([path, 200]);
      expect([path, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([path, 390]);
    }
  const others = names[0]?.replace('.example', '.other') ?? '';
  await givenReports(world.database.db, org, [{ domain: others, records: [{ ip: address }] }]);
  await page.goto(`/reports?domain=${names[0]}`);
  expect(await page.locator('tbody tr').count()).toBe(1);
});

it('does not let a reported text turn the words of a page round', async () => {
  const { db } = world.database;
  const { id: org } = await createOrganization(db, { name: 'Turned' });
  const turned = '\u202Eevil\u2066';
  const records = [{ ip: address, text: turned, count: 5, reasons: [{ type: 'other' as const, comment: turned }] }];
  const [id = ''] = await givenReports(db, org, [{ domain: 'example.com', reporter: turned, records }]);
  const page = await world.signedIn('turned@example.com', 'owner', org);
  for (const path of [
    '/reports',
    `/reports/${idText(id)}`,
    '/reporters',
    `/reports?org=${encodeURIComponent(turned)}`,
  ]) {
    await page.goto(path);
    expect([path, /[\u202A-\u202E\u2066-\u2069]/.test(await page.content())]).toEqual([path, false]);
  }
  await page.goto(`/reports/${idText(id)}`);
  expect(await page.locator('h1').innerText()).toBe('\uFFFDevil\uFFFD about example.com');
});

it('shows a search for markup as text', async () => {
  const page = await world.signedIn('search@example.com', 'owner');
  for (const path of ['/reports', '/senders', '/domains', '/settings/ingest']) {
    const query = ['search', 'domain', 'org', 'code', 'sort_by', 'state'].map(
      (name) => `${name}=${encodeURIComponent(MARKUP)}`,
    );
    const response = await page.goto(`${path}?${query.join('&')}`);
    expect(response?.status()).toBe(200);
    expect(await page.evaluate('globalThis.pwned')).toBeUndefined();
  }
});

it('shows pages about the DNS for a domain without reports and without a check', async () => {
  const page = await world.signedIn('empty@example.com', 'owner');
  await addDomain(world.database.db, world.orgId, 'empty.example', {});
  for (const path of ['spf', 'dkim', 'dns/spf', 'dns/dkim', 'dns/dmarc']) {
    const response = await page.goto(`/domains/empty.example/${path}`);
    expect({ path, status: response?.status() }).toEqual({ path, status: 200 });
  }
  await page.goto('/domains/empty.example/dkim');
  expect(await page.getByText('No DKIM signature of this domain has passed').count()).toBe(1);
});
