import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { faultDns, type FaultDns } from '@dmarc-ledger/testkit';
import { openBrowser, type TestBrowser } from '@dmarc-ledger/testkit/browser';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Browser, BrowserContext, ConsoleMessage, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { getAll, getJson } from '../../../test/support/api.ts';
import { axeSource, BRIEFLY } from '../../../test/support/axe.ts';
import { openCommandHost, testedProgram } from '../../../test/support/command.ts';
import { temporaryFolder } from '../../../test/support/folder.ts';
import { startInstance, type Instance } from '../../../test/support/instance.ts';
import { samplePaths, type NamedPath } from '../../../test/support/sample-pages.ts';

// One instance with the samples for all of these: what a person finds on the pages, and how the pages are made.

const stack = new AsyncDisposableStack();
const host = stack.use(openCommandHost());
let ledger: Instance;
let browser: TestBrowser;
let profile: BrowserContext;
let signedIn: Awaited<ReturnType<BrowserContext['storageState']>>;
let shared: Page;
let dataDir: string;
let dns: FaultDns;

beforeAll(async () => {
  const folder = stack.use(temporaryFolder());
  dns = stack.use(await faultDns({}));
  dataDir = join(folder.path, 'data');
  // the last one out stops the database
  stack.defer(async () => void (await host.run(['migrate', '--status'], { DATA_DIR: dataDir })));
  ledger = await startInstance(dataDir, [], {
    DNS_SERVERS: `${dns.address}:${dns.port}`,
    ALLOW_PRIVATE_ADDRESSES: 'on',
  });
  stack.defer(async () => void (await ledger.end('SIGTERM')));
  browser = stack.use(await openBrowser());
  await samplesAreJudged();
  profile = await browser.profile({ baseURL: ledger.apiUrl });
  shared = await profile.newPage();
  await signIn(shared, ledger.signInUrl);
  signedIn = await profile.storageState();
});

afterAll(async () => await stack.disposeAsync());

async function samplesAreJudged() {
  await vi.waitFor(expectEveryState, { timeout: 150_000, interval: 1_000 });
}

/** Every state of a domain and of a source is there to be seen. */
async function expectEveryState() {
  const v1 = `${ledger.apiUrl}/v1`;
  const domains = await getAll(`${v1}/domains`, ledger.key, 'domains');
  expect(Object.fromEntries(domains.map((each) => [each['domain'], each['dmarc_state']]))).toEqual({
    'aurora-books.example': 'verified',
    'harbor-clinic.example': 'verified',
    'lumen-labs.example': 'not_published',
    'news.tidewater.example': 'verified_inherited',
    'northwind-parts.example': 'verified',
    'old-brand.example': 'published_not_ours',
    'tidewater.example': 'verified',
  });
  const { events } = await getJson(`${v1}/events?limit=200`, ledger.key);
  expect(events.map(({ type }: { type: string }) => type)).toEqual(
    expect.arrayContaining(['malicious_source', 'policy_upgrade_ready', 'first_report_received', 'api_key_expiring']),
  );
  const sources = await getAll(`${v1}/sources`, ledger.key, 'sources');
  const all = (name: string) => [...new Set(sources.map((source) => String(source[name])))].toSorted();
  expect(all('classification')).toEqual(['authenticated', 'likely_forwarded', 'needs_review', 'suspicious']);
  expect(all('abuse_status')).toEqual(['clean', 'malicious', 'suspicious']);
  expect(all('service_name')).toEqual(expect.arrayContaining(['Amazon SES', 'Google Workspace', 'Microsoft 365']));
  expect(sources.filter(({ classification }) => classification === 'suspicious').length).toBeGreaterThan(100);
  const overview = await getJson(`${v1}/dashboard/overview`, ledger.key);
  expect(overview.domain_cards[0].domain).toBe('tidewater.example');
}

async function signIn(page: Page, link: string) {
  await page.goto(link);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.waitForURL(`${ledger.apiUrl}/`);
}

/** A link as the operator prints it, on the address of this instance. */
async function linkFor(email: string): Promise<string> {
  const { stdout } = await host.run(['sign-in', email], { DATA_DIR: dataDir });
  const { pathname, search } = new URL(stdout.trim());
  return `${ledger.apiUrl}${pathname}${search}`;
}

type ContextOptions = NonNullable<Parameters<Browser['newContext']>[0]>;

/** A tab of its own; with options, in a profile of its own. */
async function open(options?: ContextOptions) {
  const own = options && (await browser.profile({ baseURL: ledger.apiUrl, storageState: signedIn, ...options }));
  const page = await (own ?? profile).newPage();
  return { page, [Symbol.asyncDispose]: async () => await (own ?? page).close() };
}

/** A person who begins at the overview, and whose clicks are counted. A tab for each costs more than the clicks. */
async function person() {
  const page = shared;
  await page.goto('/');
  let clicks = 0;
  return {
    page,
    main: page.getByRole('main'),
    panel: (heading: string | RegExp) =>
      page.locator('section.panel').filter({ has: page.getByRole('heading', { name: heading }) }),
    async click(what: Locator) {
      clicks += 1;
      expect(clicks, 'clicks from the overview').toBeLessThanOrEqual(3);
      await what.first().click();
      await page.waitForLoadState();
    },
  };
}

const link = (page: Page | Locator, name: string | RegExp) => page.getByRole('link', { name });

it('the samples show every state of a domain and of a source, and nothing about them is looked up', async () => {
  await expectEveryState();
  const own = /(?:aurora-books|harbor-clinic|lumen-labs|tidewater|northwind-parts|old-brand)\.example$/;
  const reverse = /(?:2\.0\.192|100\.51\.198|113\.0\.203)\.in-addr\.arpa$/;
  expect(dns.seen.filter(({ name }) => own.test(name) || reverse.test(name))).toEqual([]);
});

describe('a person who knows mail finds out, within three clicks of the overview', () => {
  it('which domain is worst, and why', async () => {
    const at = await person();
    const worst = at.panel('Domains, worst first').locator('tbody tr').first();
    expect(await worst.innerText()).toContain('tidewater.example');
    await at.click(link(worst, 'tidewater.example'));
    expect(await at.panel('Where the score comes from').locator('tbody tr').first().innerText()).toContain(
      'Mail that passed DMARC',
    );
    expect(await at.panel('What to do').innerText()).toContain('DMARC policy is not enforced');
  });

  it('what to publish for a stricter policy, beginning at what there is to do', async () => {
    const at = await person();
    await at.click(link(at.panel('Domains, worst first'), 'tidewater.example'));
    await at.click(link(at.panel('What to do'), 'Change policy'));
    await at.click(link(at.page, 'What a stricter policy would do, and the record for it'));
    expect(await at.panel('The path to reject').innerText()).toContain('v=DMARC1; p=quarantine; sp=none');
  });

  it('who sends as us without being authenticated', async () => {
    const at = await person();
    await at.click(link(at.page, 'Senders'));
    await at.page.getByLabel('Class').selectOption('needs_review');
    await at.page.getByRole('button', { name: 'Apply' }).click();
    await at.page.waitForURL(/class=needs_review/);
    const rows = at.main.locator('tbody tr');
    await expect.poll(async () => await rows.count()).toBeGreaterThan(2);
    const texts = await rows.allInnerTexts();
    expect(texts.every((text) => text.includes('Needs review'))).toBe(true);
    expect(texts.join()).toContain('SendGrid');
  });

  it('whether there was an attack, when, and from where', async () => {
    const at = await person();
    const attack = at.panel(/^Forged mail/);
    expect(await attack.innerText()).toMatch(/tidewater\.example, \d+ \w+ \d{4} to \d+ \w+ \d{4}: [\d,]{6} forged/);
    expect(await attack.locator('tbody tr').count()).toBeGreaterThan(2);
    await at.click(link(attack, /addresses$/));
    const rows = at.main.locator('tbody tr');
    expect(await rows.first().innerText()).toContain('Suspicious');
    await at.click(link(rows.first(), /^203\.0\.113\./));
    expect(await at.panel('Evidence').locator('tbody tr').count()).toBeGreaterThan(0);
  });

  it('what changed in the DNS last week', async () => {
    const at = await person();
    const changes = at.panel(/^What changed in the DNS/);
    expect(await changes.locator('del').allInnerTexts()).toEqual([
      '− v=spf1 ip4:192.0.2.24/29 include:_spf.google.com ~all',
      '− v=DMARC1; p=none; rua=mailto:dmarc@lumen-labs.example',
    ]);
    await at.click(link(changes, 'DMARC of lumen-labs.example'));
    expect(await at.panel('How it changed').innerText()).toContain('No DMARC record is published');
    const goneAt = await at.panel('How it changed').locator('li strong').first().innerText();
    expect(await at.main.innerText()).toContain(`as it is since ${goneAt}.`);
  });

  it('whether tidewater may move to quarantine', async () => {
    const at = await person();
    await at.click(link(at.main, 'tidewater.example').first());
    const answer = await at.panel('May the policy be stricter?').innerText();
    expect(answer).toContain('Not yet: it stays at none');
    expect(answer).toMatch(/\d+\.\d % of the mail of 30 days passes DMARC; 98\.0 % are needed/);
    await at.click(link(at.page, 'Senders whose mail fails'));
    expect(await at.main.locator('tbody tr').count()).toBeGreaterThan(1);
  });

  it('what quarantine would have done to the mail of tidewater, and what to repair first', async () => {
    const at = await person();
    await at.click(link(at.main, 'tidewater.example').first());
    await at.click(link(at.page, 'What a stricter policy would have done'));
    const verdict = at.panel(/^Ready after \d+ fix/);
    expect(await verdict.innerText()).toMatch(
      /Before tidewater\.example publishes p=quarantine; sp=none, look at \d+ senders?:/,
    );
    const steps = at.panel('What each step would have done in 30 days');
    const next = steps.locator('details[open]');
    expect(await next.count()).toBe(1);
    const rows = await next.locator('tbody tr').allInnerTexts();
    expect(rows.length).toBeGreaterThan(2);
    expect(rows.join()).toContain('Look at this one first');
    const path = at.panel('The path to reject');
    expect(await path.locator('[aria-current=step]').innerText()).toMatch(/^Monitor \(the domain stands here\)/);
    expect(await path.innerText()).toContain('v=DMARC1; p=quarantine; sp=none; t=y; rua=mailto:');
    await at.page.getByLabel('Days').selectOption('90');
    await at.page.getByRole('button', { name: 'Apply' }).click();
    await at.page.waitForURL(/days=90/);
    expect(await at.panel('What each step would have done in 90 days').locator('details[open]').count()).toBe(1);
  });

  it('where each domain stands on the path to reject', async () => {
    const at = await person();
    await at.click(link(at.page, 'Enforcement'));
    const row = at
      .panel('Monitor')
      .locator('tbody tr')
      .filter({ hasText: /^tidewater\.example/ });
    expect(await row.innerText()).toContain('p=none');
    const without = at.panel('No record').locator('tbody tr');
    expect(await without.innerText()).toMatch(/^lumen-labs\.example[\s\S]*Publish a record first/);
    expect(await at.panel('Reject, subdomains too').locator('tbody').innerText()).toContain('Nothing stricter');
    await at.click(link(row, 'tidewater.example'));
    expect(await at.main.innerText()).toContain('Enforcement of tidewater.example');
  });

  it('that the clinic may move to quarantine', async () => {
    const at = await person();
    await at.click(link(at.main, 'harbor-clinic.example').first());
    expect(await at.panel('May the policy be stricter?').innerText()).toContain(
      'Yes: it may move from none to quarantine',
    );
  });

  it('how much of the mail the figures of tidewater show, and who is missing', async () => {
    const at = await person();
    expect(await at.panel('Domains, worst first').locator('tbody tr').first().innerText()).toMatch(
      /(?:high|medium|low) confidence/,
    );
    await at.click(link(at.main, 'tidewater.example').first());
    expect(await at.main.innerText()).toMatch(/(?:high|medium|low) confidence, \d+\.\d % to \d+\.\d %/);
    expect(await at.main.innerText()).toContain('The large reporter Yoohoo has fallen silent');
    await at.click(link(at.main, 'How much these figures see'));
    expect(await at.panel('How much do these figures see?').innerText()).toMatch(
      /confidence: the reports show \d+\.\d % of the expected mail/,
    );
    const reporters = at.panel('One reporter has fallen silent');
    const silent = reporters.locator('tbody tr').filter({ hasText: 'Yoohoo' });
    expect(await silent.innerText()).toContain('has fallen silent');
    expect(await at.panel('Day by day').locator('tbody tr').count()).toBe(30);
    await at.page.getByRole('combobox', { name: 'Days' }).selectOption('60');
    await at.page.getByRole('button', { name: 'Apply' }).click();
    await at.page.waitForURL(/days=60/);
    expect(await at.panel('Day by day').locator('tbody tr').count()).toBe(60);
  });

  it('that no reports about lumen arrive any more', async () => {
    const at = await person();
    await at.click(link(at.main, 'lumen-labs.example').first());
    await at.click(link(at.main, 'How much these figures see'));
    expect(await at.main.innerText()).toMatch(/On \d days of 28 no report came although some were expected/);
  });

  it('how tidewater stands with the rules for bulk senders', async () => {
    const at = await person();
    await at.click(link(at.main, 'tidewater.example').first());
    await at.click(link(at.main, 'Rules for bulk senders'));
    const rules = at.panel(/^tidewater\.example (?:does not meet|meets)/);
    expect(await rules.locator('li').count()).toBe(11);
    expect(await rules.innerText()).toContain('Cannot be seen from reports');
    expect(await at.panel('To whom they apply').locator('tbody tr').count()).toBe(3);
  });

  it('which reporter stopped', async () => {
    const at = await person();
    const reporters = at.panel('One reporter has stopped');
    expect(await reporters.locator('tbody tr').first().innerText()).toMatch(/Yoohoo[\s\S]*stopped 1[34] days ago/);
    await at.click(link(reporters, 'Yoohoo'));
    expect(await at.main.locator('tbody tr').count()).toBeGreaterThan(10);
  });

  it('what one report said about one address', async () => {
    const at = await person();
    await at.click(link(at.page, 'Senders'));
    const address = link(at.main, /^192\.0\.2\.\d+$/).first();
    const name = await address.innerText();
    await at.click(address);
    await at.click(link(at.panel('What reports said'), /\d{4}/));
    const said = at.panel(`What it says about ${name}`);
    expect((await said.locator('tbody tr').allInnerTexts()).every((text) => text.includes(name))).toBe(true);
    expect(await said.innerText()).toMatch(/pass, (?:not )?aligned/);
  });

  it('whether mail is arriving', async () => {
    const at = await person();
    expect(await at.panel('What arrived').innerText()).toMatch(/Last delivery\s+\d+ \w+ \d{4}, \d\d:\d\d UTC/);
  });

  it('what was refused', async () => {
    const at = await person();
    await at.click(link(at.panel('What arrived').getByRole('definition').filter({ hasText: /^1/ }).last(), '1'));
    const row = at.panel('Deliveries').locator('tbody tr');
    expect(await row.innerText()).toContain('damaged-pochta.example!aurora-books.example');
    await at.click(link(row, /UTC/));
    expect(await at.main.innerText()).toContain('refused');
  });

  it('who acknowledged what', async () => {
    const at = await person();
    await at.click(link(at.page, 'Events'));
    const event = at.main.locator('li.event').filter({ hasText: 'DKIM key revoked' });
    await at.click(event.getByRole('button', { name: 'Acknowledge: DKIM key revoked' }));
    expect(await event.innerText()).toMatch(/Acknowledged by owner@localhost on \d+ \w+ \d{4}/);
  });

  it('which TLS deliveries failed', async () => {
    const at = await person();
    await at.click(link(at.page, 'TLS'));
    const row = at.panel('Failures by cause').locator('tbody tr');
    expect(await row.innerText()).toMatch(
      /aurora-books\.example\s+certificate-expired[\s\S]*mx2\.aurora-books\.example/,
    );
    await at.click(row.locator('a[href^="/tls/reports"]'));
    await at.click(at.page.locator('tbody a[href^="/tls/reports/"]').first());
    expect(await at.panel('Failures').locator('tbody tr').innerText()).toContain('The certificate has expired.');
  });

  it('which include no mail needs, what each name server said, and that a record is gone', async () => {
    const at = await person();
    const gone = at.panel('Domains, worst first').locator('tbody tr', { hasText: 'lumen-labs.example' });
    expect(await gone.innerText()).toContain('no record');
    await at.click(link(at.page, 'tidewater.example'));
    await at.click(link(at.page, 'Who needs the SPF record'));
    const unneeded = at.panel('The record and what it refers to').locator('li', { hasText: 'not needed' });
    expect(await unneeded.first().innerText()).toContain('include:_spf.oldagency.example');
    expect(await at.panel('The shortest record for your senders').locator('pre').innerText()).toBe(
      'v=spf1 include:spf.protection.outlook.com ~all',
    );
    await at.click(link(at.page, 'The record as it is published'));
    expect(await at.panel('What each name server said').innerText()).toContain('ns2.dns-host.example has the record');
  });

  it('which DKIM key took over from which, and what is left to do', async () => {
    const at = await person();
    await at.click(link(at.page, 'aurora-books.example'));
    await at.click(link(at.page, 'Use and age of the DKIM keys'));
    const tasks = await at.panel('What to do').innerText();
    expect(tasks).toMatch(/mx2024 for \d+ days, but its key is still published/);
    expect(tasks).toContain('Selector mx2025 took over from mx2024');
  });

  it('how to publish the missing record', async () => {
    const at = await person();
    await at.click(link(at.main, 'lumen-labs.example').first());
    await at.click(link(at.panel('What the DNS publishes'), /^DMARC$/));
    const text = await at.panel('To publish').innerText();
    expect(text).toContain('_dmarc.lumen-labs.example');
    expect(text).toMatch(/v=DMARC1; p=none; rua=mailto:dmarc@/);
  });
});

it('an assistant finds the same by its tools', async () => {
  const { PATH = '', HOME = '/' } = process.env;
  const client = new Client({ name: 'assistant', version: '1' });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [testedProgram, 'mcp', '--url', ledger.apiUrl],
      env: { PATH, HOME, DMARC_LEDGER_KEY: ledger.key },
    }),
  );
  const ask = async (name: string, given: { [argument: string]: unknown } = {}) => {
    const { content } = await client.callTool({ name, arguments: given });
    const [, data] = content.map((block) => (block.type === 'text' ? block.text : ''));
    return JSON.parse(data ?? '');
  };
  const { domain_cards: cards } = await ask('getDashboardOverview');
  expect(cards[0].domain, 'which domain is worst').toBe('tidewater.example');
  const { action_items: items } = await ask('getDomainHealth', { domain: 'tidewater.example' });
  expect(items.map(({ title }: { title: string }) => title)).toContain('DMARC policy is not enforced');
  const { senders } = await ask('listSenders', { domain: 'tidewater.example', sort_by: 'failing_messages' });
  expect(senders[0].messages - senders[0].compliant_messages, 'who fails most').toBeGreaterThan(0);
  const { verdict, path } = await ask('getDomainEnforcement', { domain: 'tidewater.example' });
  expect(verdict).toMatch(/^ready after \d+ fix/);
  expect(path).toContainEqual(expect.objectContaining({ stage: 'monitor', is_current: true }));
  const { events } = await ask('listEvents', { limit: 200 });
  const types = new Set(events.map(({ type }: { type: string }) => type));
  expect([...types], 'what happened').toEqual(expect.arrayContaining(['malicious_source', 'policy_upgrade_ready']));
  const { sources } = await ask('listSources', { sort_by: 'total_messages', limit: 5 });
  expect(sources).toHaveLength(5);
  const source = await ask('getSource', { ip: sources[0].source_ip });
  expect(source.records.length, 'what reports said about one address').toBeGreaterThan(0);
  const { domains } = await ask('listDomains');
  const lumen = domains.find(({ domain }: { domain: string }) => domain === 'lumen-labs.example');
  expect(lumen.dmarc_state, 'which record is missing').toBe('not_published');
  const { path: steps } = await ask('getDomainEnforcement', { domain: 'lumen-labs.example' });
  expect(JSON.stringify(steps), 'how it is published').toContain('v=DMARC1; p=none');
  const { changes } = await ask('listRecordChanges', { days: 7 });
  expect(changes.length, 'what changed in the DNS last week').toBeGreaterThan(0);
  const { silent_reporters: silent } = await ask('getDomainCoverage', { domain: 'tidewater.example' });
  expect(silent.length, 'which reporter stopped').toBeGreaterThan(0);
  const intake = await ask('getIntake');
  expect(intake.deliveries, 'whether mail is arriving').toBeGreaterThan(0);
  expect(intake.refusals[0].message, 'what was refused, and why').toContain('document');
  await host.run(['event', 'ack', events[0].id, '--by', 'nora@example.com'], { DATA_DIR: dataDir });
  const { acknowledgements } = await ask('listAcknowledgements');
  expect(acknowledgements, 'who acknowledged what').toContainEqual(
    expect.objectContaining({ event_id: events[0].id, acknowledged_by: 'nora@example.com' }),
  );
  const { failures } = await ask('listTlsFailures', { days: 90 });
  expect(failures[0].sessions, 'which TLS deliveries failed').toBeGreaterThan(0);
  await client.close();
});

it('filters addresses by the class that v1 gives them, over all pages of the list', async () => {
  await using at = await open();
  const sources = await getAll(`${ledger.apiUrl}/v1/sources`, ledger.key, 'sources');
  for (const name of ['authenticated', 'likely_forwarded', 'needs_review', 'suspicious']) {
    const response = await at.page.request.get(`/senders?class=${name}&format=csv`);
    const lines = (await response.text()).trim().split('\r\n').slice(1);
    const expected = sources.filter(({ classification }) => classification === name).map((each) => each['source_ip']);
    expect(lines.map((line) => line.split(',')[0]).toSorted()).toEqual(expected.map(String).toSorted());
    await at.page.goto(`/senders?class=${name}`);
    expect(await at.page.getByRole('main').innerText()).toContain(`${expected.length} addresses`);
  }
});

it('says of which days its figures are, and the sums of a chart are those of its table', async () => {
  const at = await person();
  await at.page.goto('/domains/tidewater.example');
  expect(await at.page.locator('dl.numbers').innerText()).toMatch(/[\d,]+ in the 30 days to \d+ \w+ \d{4}/);
  const chart = at.panel('Messages by day');
  await chart.getByText('The same as a table').click();
  const rows = (await chart.locator('tbody tr').allInnerTexts()).map((row) => row.split('\t').slice(1).map(numberIn));
  const sums = rows.reduce((sum, row) => sum.map((value, i) => value + (row[i] ?? 0)));
  const [messages = 0, ...parts] = sums;
  expect((await chart.locator('tfoot td').allInnerTexts()).map(numberIn)).toEqual(sums);
  expect((await chart.locator('.legend li').allInnerTexts()).map(numberIn)).toEqual(parts);
  expect(parts.reduce((sum, part) => sum + part, 0)).toBe(messages);
  expect((await chart.locator('.legend li').allInnerTexts()).join()).toMatch(/passed.*forwarded.*to review/);
  expect(messages).toBeGreaterThan(10_000);
});

const numberIn = (text: string) => Number(/[\d,]+/.exec(text)?.[0].replaceAll(',', ''));

it('saves the domains that the filter shows', async () => {
  await using at = await open();
  const csv = await (await at.page.request.get('/domains?policy=reject&format=csv')).text();
  expect(csv.split('\r\n').map((line) => line.split(',')[0])).toEqual([
    'domain',
    'aurora-books.example',
    'old-brand.example',
    '',
  ]);
});

/** Lists in `window.shifts` what moves after it was painted. */
async function recordShifts(page: Page) {
  await page.addInitScript(`window.shifts = [];
    const boxText = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(' ');
    new PerformanceObserver((list) => {
      for (const { sources } of list.getEntries())
        for (const { node, previousRect: from, currentRect: to } of sources)
          window.shifts.push((node?.outerHTML ?? '').slice(0, 80) + ' from ' + boxText(from) + ' to ' + boxText(to));
    }).observe({ type: 'layout-shift', buffered: true });`);
}

/** What one visit of a page finds. */
interface Visit extends NamedPath {
  status: number;
  /** Bytes of its document, compressed. */
  size: number;
  title: string;
  headings: number;
  /** What moves while it loads. */
  shifts: string[];
  /** What the browser logs as errors. */
  errors: string[];
  /** At each width: by how much the page is wider, panels that lie over each other, tables that are cut. */
  layouts: { width: number; excess: number; overlaps: string[]; cut: string[] }[];
  /** What axe finds, with the width and the colours. */
  violations: string[];
}

/** Visits a page once, with all that is asked of every page: a visit costs more than what is asked. */
async function visit(page: Page, { name, path }: NamedPath): Promise<Visit> {
  const errors: string[] = [];
  const onConsole = (message: ConsoleMessage) => void (message.type() === 'error' && errors.push(message.text()));
  const onError = (error: Error) => void errors.push(error.message);
  page.on('console', onConsole);
  page.on('pageerror', onError);
  await page.setViewportSize({ width: 1280, height: 720 });
  const response = await page.goto(path, { waitUntil: 'load' });
  const html = (await response?.body()) ?? Buffer.alloc(0);
  const found = await page.evaluate<Pick<Visit, 'title' | 'headings' | 'shifts'>>(FOUND);
  page.off('console', onConsole);
  page.off('pageerror', onError);
  const [status, size] = [response?.status() ?? 0, gzipSync(html).length];
  await page.evaluate(axeSource);
  const [layouts, violations] = [[] as Visit['layouts'], [] as string[]];
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    layouts.push({ width, ...(await page.evaluate<Omit<Visit['layouts'][number], 'width'>>(LAYOUT)) });
    if (width === 390 || width === 1440) violations.push(...(await violationsOf(page, width)));
  }
  return { name, path, status, size, ...found, errors, layouts, violations };
}

const WIDTHS = [390, 768, 1440, 1920];

/** The document is the same in both, so that dark colours need the rules about colours alone. */
const RULES = { light: {}, dark: { runOnly: ['cat.color'] } };

async function violationsOf(page: Page, width: number): Promise<string[]> {
  const violations: string[] = [];
  for (const colours of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: colours });
    const found = await page.evaluate<string[]>(
      `axe.run(${JSON.stringify({ ...BRIEFLY, ...RULES[colours] })})
        .then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes[0].html))`,
    );
    violations.push(...found.map((fault) => `${width}, ${colours}: ${fault}`));
  }
  await page.emulateMedia({ colorScheme: 'light' });
  return violations;
}

describe('every page', () => {
  let visits: Visit[];

  beforeAll(async () => {
    await using at = await open();
    const paths = await samplePaths(at.page, ledger.apiUrl);
    await recordShifts(at.page);
    visits = [];
    for (const path of paths) visits.push(await visit(at.page, path));
  });

  /** The same of every page, with its address. */
  const each = <Value>(valueOf: (visit: Visit) => Value) =>
    visits.map((one) => ({ path: one.path, value: valueOf(one) }));
  const every = <Value>(value: Value) => visits.map(({ path }) => ({ path, value }));

  it('has no fault that axe finds, in light and in dark colours, narrow and wide', () => {
    expect(each(({ violations }) => violations)).toEqual(every([]));
  });

  it('fits into a window of 390 to 1920 pixels, and no panel lies over another', () => {
    const good = WIDTHS.map((width) => ({ width, excess: 0, overlaps: [], cut: [] }));
    expect(each(({ layouts }) => layouts)).toEqual(every(good));
  });

  it('is small, does not move while it loads, and logs no error', async () => {
    expect(each(({ shifts }) => shifts)).toEqual(every([]));
    const others = visits.filter(({ name }) => name !== 'missing'); // the browser logs the 404 of the page itself
    expect(others.flatMap(({ path, errors }) => errors.map((error) => `${path}: ${error}`))).toEqual([]);
    expect(Math.max(...visits.map(({ size }) => size))).toBeLessThanOrEqual(30_000);
    await using at = await open();
    await at.page.goto('/');
    const assets = await at.page.evaluate<string[]>(
      `[...document.querySelectorAll('script[src], link[rel=stylesheet]')].map((each) => each.src || each.href)`,
    );
    for (const url of assets) {
      const size = gzipSync(await (await at.page.request.get(url)).body()).length;
      expect(size, `size of ${url}`).toBeLessThanOrEqual(url.endsWith('.js') ? 15_000 : 10_000);
    }
    expect(assets.length).toBe(2);
  });

  it('does not move while it arrives over a slow network', async () => {
    await using at = await open();
    await recordShifts(at.page);
    const network = await at.page.context().newCDPSession(at.page);
    const slow = { offline: false, latency: 20, downloadThroughput: 30_000, uploadThroughput: 30_000 };
    await at.page.goto('/domains');
    await network.send('Network.emulateNetworkConditions', slow);
    for (const path of ['/', '/senders', '/reports', '/tls', '/settings/api-keys']) {
      await at.page.goto(path, { waitUntil: 'load' });
      expect(await at.page.evaluate<string[]>('window.shifts'), `what moves on ${path}`).toEqual([]);
    }
  });

  it('has a heading, and a title of its own', () => {
    expect(visits.length).toBeGreaterThan(30);
    expect(each(({ headings }) => headings)).toEqual(every(1));
    expect(new Set(visits.map(({ title }) => title)).size).toBeGreaterThanOrEqual(visits.length - 1);
  });

  it('has no link that leads nowhere, nor have the pages behind its links', async () => {
    await using at = await open();
    const { request } = at.page;
    const followed = new Set<string>();
    const waiting = visits.filter(({ status }) => status === 200).map(({ path }) => path);
    const broken: string[] = [];
    for (let href = waiting.pop(); href !== undefined; href = waiting.pop()) {
      const kind = kindOf(href);
      if (followed.has(kind) || kind.startsWith('/help')) continue; // the links of the help have a test of their own
      followed.add(kind);
      const response = await request.get(href);
      if (response.status() !== 200) broken.push(`${response.status()} ${href}`);
      if (!response.headers()['content-type']?.startsWith('text/html')) continue;
      waiting.push(...(await at.page.evaluate<string[]>(linksIn(await response.text()))));
    }
    expect(broken).toEqual([]);
    for (const kind of ['/reports/:id', '/tls/reports/:id', '/settings/ingest/:id', '/reports/:id/xml copy'])
      expect([...followed]).toContain(kind);
  });

  it('has no link for a viewer that leads to a page which a viewer may not open', async () => {
    const email = 'viewer@example.com';
    await using owner = await open();
    await owner.page.goto('/settings/people');
    await owner.page.getByLabel('E-mail address').fill(email);
    await owner.page.getByLabel('Role').selectOption('viewer');
    await owner.page.getByRole('button', { name: 'Invite' }).click();
    await using at = await open({ storageState: { cookies: [], origins: [] } });
    await signIn(at.page, await linkFor(email));
    const { request } = at.page;
    const links = new Set<string>();
    for (const { path } of visits) {
      const response = await request.get(path);
      if (response.status() !== 200) continue;
      for (const href of await at.page.evaluate<string[]>(linksIn(await response.text()))) links.add(href);
    }
    expect(links.size).toBeGreaterThan(20);
    const refused: string[] = [];
    for (const href of links) {
      const status = (await request.get(href)).status();
      if (status === 403 || status >= 500) refused.push(`${status} ${href}`);
    }
    expect(refused).toEqual([]);
  });
});

/** What only filters, sorts or pages the rows of a page. */
const OF_ROWS = new Set(['domain', 'days', 'class', 'sort_by', 'sort_dir', 'offset', 'before']);

/** What links have in common that differ in ids, names and rows: the path without these, and the other parameters. */
function kindOf(href: string): string {
  const { pathname, searchParams } = new URL(href, 'http://here');
  const path = pathname
    .replaceAll(/\/[0-9A-Z-]{26,}(?=\/|$)/g, '/:id')
    .replaceAll(/\/[^/]*(\.|%3A)[^/]*(?=\/|$)/g, '/:name');
  return [path, ...[...new Set(searchParams.keys())].filter((name) => !OF_ROWS.has(name))].join(' ');
}

/** The links of a document: to read its text costs less than to show it. */
const linksIn = (html: string) =>
  `[...new DOMParser().parseFromString(${JSON.stringify(html)}, 'text/html').querySelectorAll('a[href^="/"]')]
    .map((each) => each.getAttribute('href').replace(/#.*/, ''))`;

const FOUND = `({
  title: document.title,
  headings: document.querySelectorAll('h1').length,
  shifts: window.shifts,
})`;

/**
 * How the page fits into its window: panels that lie over each other, by their headings, and the tables of a wide
 * window that are wider than their panel, by their captions.
 */
const LAYOUT = `(() => {
  const boxes = [...document.querySelectorAll('.panel')]
    .map((panel) => ({ panel, box: panel.getBoundingClientRect() }));
  return {
    excess: document.documentElement.scrollWidth - innerWidth,
    overlaps: boxes.flatMap((a, index) => boxes.slice(index + 1)
      .filter((b) => !a.panel.contains(b.panel) && a.box.left < b.box.right - 1 && b.box.left < a.box.right - 1
        && a.box.top < b.box.bottom - 1 && b.box.top < a.box.bottom - 1)
      .map((b) => a.panel.innerText.slice(0, 30) + ' / ' + b.panel.innerText.slice(0, 30))),
    cut: [...document.querySelectorAll('.scroll')]
      .filter((part) => innerWidth >= 1440 && part.scrollWidth > part.clientWidth + 1)
      .map((part) => part.innerText.slice(0, 60)),
  };
})()`;

describe('without JavaScript', () => {
  const plain = { javaScriptEnabled: false };

  it('a person filters, sorts and pages a list', async () => {
    await using at = await open(plain);
    await at.page.goto('/');
    await link(at.page, 'Reports').first().click();
    const rows = at.page.locator('tbody tr');
    expect(await rows.count()).toBe(50);
    await at.page.getByLabel('Domain').fill('tidewater.example');
    await at.page.getByRole('button', { name: 'Apply' }).click();
    expect((await rows.allInnerTexts()).every((text) => text.includes('tidewater.example'))).toBe(true);
    await link(at.page.locator('thead'), /^Messages/).click();
    const counts = async () =>
      (await at.page.locator('tbody td:nth-child(4)').allInnerTexts()).map((text) => Number(text.replaceAll(',', '')));
    const largest = await counts();
    expect(largest).toEqual(largest.toSorted((a, b) => b - a));
    await link(at.page, 'Next').click();
    const next = await counts();
    expect(next[0]).toBeLessThanOrEqual(largest.at(-1) ?? 0);
    expect(at.page.url()).toMatch(/domain=tidewater\.example.*sort_by=total_messages.*offset=50/);
  });

  it('a person acknowledges an event', async () => {
    await using at = await open(plain);
    await at.page.goto('/events?state=open');
    const button = at.page.getByRole('button', { name: /^Acknowledge: DKIM key too short/ });
    await button.click();
    await at.page.goto('/events?state=acknowledged');
    expect(await at.page.locator('li.event').filter({ hasText: 'DKIM key too short' }).innerText()).toContain(
      'Acknowledged by owner@localhost',
    );
  });

  it('a person uploads a file', async () => {
    await using at = await open(plain);
    using folder = temporaryFolder();
    const file = join(folder.path, 'no-report.xml');
    writeFileSync(file, 'this is no report');
    await at.page.goto('/settings/ingest');
    await at.page.getByLabel(/files/).setInputFiles(file);
    await at.page.getByRole('button', { name: 'Upload' }).click();
    await at.page.waitForURL(/uploaded=1/);
    await expect
      .poll(
        async () => {
          await at.page.reload();
          return await at.page.locator('tbody tr').filter({ hasText: 'no-report.xml' }).count();
        },
        { timeout: 60_000, interval: 500 },
      )
      .toBe(1);
  });

  it('a person signs in by a link, and out again', async () => {
    const email = 'reader@example.com';
    await using owner = await open(plain);
    await owner.page.goto('/settings/people');
    await owner.page.getByLabel('E-mail address').fill(email);
    await owner.page.getByRole('button', { name: 'Invite' }).click();
    await using at = await open({ ...plain, storageState: { cookies: [], origins: [] } });
    await signIn(at.page, await linkFor(email));
    await at.page.getByRole('button', { name: 'Sign out' }).click();
    await at.page.goto('/');
    expect(new URL(at.page.url()).pathname).toBe('/sign-in');
  });
});

it('is used by keyboard alone: skip the navigation, go to a page, acknowledge', async () => {
  await using at = await open();
  const { page } = at;
  await page.goto('/');
  await page.keyboard.press('Tab');
  expect(await focused(page)).toBe('Skip to the content');
  await page.keyboard.press('Enter');
  expect(new URL(page.url()).hash).toBe('#main');
  await page.goto('/');
  await tabTo(page, 'Events');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/events/);
  await tabTo(page, 'Acknowledge');
  const before = await page.getByRole('button', { name: /^Acknowledge/ }).count();
  await page.keyboard.press('Enter');
  await expect.poll(async () => await page.getByRole('button', { name: /^Acknowledge/ }).count()).toBe(before - 1);
});

const focused = async (page: Page) => await page.evaluate<string>('document.activeElement.textContent.trim()');

async function tabTo(page: Page, text: string) {
  const MOST = 60;
  for (let presses = 0; presses < MOST; presses += 1) {
    await page.keyboard.press('Tab');
    if ((await focused(page)) === text) return;
  }
  throw new Error(`${text} was not reached by Tab`);
}
