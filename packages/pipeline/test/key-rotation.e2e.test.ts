import { generateKeyPairSync } from 'node:crypto';
import { findChecks } from '@dmarc-ledger/facts';
import { addDomain } from '@dmarc-ledger/ledger';
import { publicSuffixDomains } from '@dmarc-ledger/dmarc';
import { guardedFetch, openDnsClient } from '@dmarc-ledger/lookups';
import { findDkimKeys } from '@dmarc-ledger/queries';
import { type DescribedReport, type DnsBehaviour, faultDns, type FaultDns } from '@dmarc-ledger/testkit';
import { addDays, startOfDay } from '@dmarc-ledger/vocabulary';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { askDns, checkDomain } from '../src/index.ts';
import { openEventFixture, type EventFixture } from './event-fixture.ts';

const TODAY = '2026-03-10';
const keyOf = (modulusLength: number) =>
  generateKeyPairSync('rsa', { modulusLength }).publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
const KEY = keyOf(2_048);
const SHORT_KEY = keyOf(1_024);
type Records = NonNullable<DescribedReport['records']>;

let dns: FaultDns;
let fixture: EventFixture;
let domainId: string;
let published: Set<string>;
/** The selectors of those whose key is too short. */
let short: Set<string>;
let number = 0;

const rule = ({ name, type }: { name: string; type: string }): DnsBehaviour => {
  const answer = (data: object | string) => ({ answers: [{ type, name, ttl: 0, data } as never] });
  if (type === 'NS' && (name === 'firm.com' || name === 'com')) return answer('ns.com');
  if (type === 'A' && name === 'ns.com') return answer('127.0.0.1');
  const selector = name.replace('._domainkey.firm.com', '');
  if (published.has(selector))
    return type === 'TXT' ? answer(`v=DKIM1; p=${short.has(selector) ? SHORT_KEY : KEY}`.match(/.{1,255}/g)!) : {};
  return name === 'firm.com' || name === 'com' || name === 'ns.com' ? {} : { rcode: 3 };
};

beforeEach(async () => {
  published = new Set(['s1', 's2', 'mail', 'fresh']);
  short = new Set();
  dns = await faultDns({ '*': rule });
  fixture = await openEventFixture();
  fixture.itIs(TODAY);
  ({ id: domainId } = await addDomain(fixture.database.db, fixture.orgId, 'firm.com', {}));
});
afterEach(async () => {
  await Promise.all([dns, fixture].map((each) => each[Symbol.asyncDispose]()));
});

const signed = (selector: string, count = 300, dkim: 'pass' | 'fail' = 'pass') =>
  ({ ip: '45.0.0.2', count, dkim, spf: 'pass', selector }) as const;

async function arrive(ago: number, ...records: Records): Promise<void> {
  const begin = startOfDay(addDays(TODAY, -ago));
  await fixture.arrive({ id: `r-${(number += 1)}`, domain: 'firm.com', begin, records, p: 'none' });
}

/** What pages, checks and events say about the keys after a check on this day, with all that arrived. */
async function saidAt(ago: number) {
  const { database, orgId } = fixture;
  const client = openDnsClient({ servers: [dns], timeoutMs: 5_000, cacheEntries: 0, isAllowedServer: () => true });
  const search = { client, port: dns.port, isAllowed: () => true };
  const ask = (signal: AbortSignal) =>
    askDns({ dns: client, search, https: guardedFetch({ client }), isValidating: false }, signal);
  const today = addDays(TODAY, -ago);
  fixture.itIs(today, 6);
  const needs = {
    database,
    organizationalDomain: publicSuffixDomains(),
    ask,
    now: () => new Date(`${today}T06:00:00Z`),
  };
  await checkDomain(needs, { orgId, domainId });
  fixture.itIs(today, 6, 1);
  await fixture.look();
  const events = (await fixture.events()).filter(({ key }) => key.startsWith('dkim_key'));
  const checks = await findChecks(database.db, orgId, domainId);
  const found = await findDkimKeys(database.db, orgId, { domain: 'firm.com', today, now: needs.now() });
  return {
    events: events.map(({ key, resolved }) => (resolved === null ? key : `-${key}`)),
    dkim: checks.find(({ subject }) => subject === 'dkim')?.status,
    findings: found?.keys.flatMap(({ selector, findings }) =>
      findings.flatMap(({ code }) => (code === 'used_but_gone' ? `${selector} ${code}` : [])),
    ),
  };
}

const quiet = { events: [], dkim: 'ok', findings: [] };

it('a key that is removed after the next one took over is no fault, though it was used this week', async () => {
  for (const ago of [9, 8, 7]) await arrive(ago, signed('s1'));
  await arrive(6, signed('s1', 100), signed('s2', 200));
  for (const ago of [5, 4]) await arrive(ago, signed('s2'));
  expect(await saidAt(3)).toEqual(quiet);
  published.delete('s1');
  await arrive(3, signed('s2'), signed('s1', 2, 'fail'));
  expect(await saidAt(2)).toEqual(quiet);
  await arrive(2, signed('s2'));
  expect(await saidAt(1)).toEqual(quiet);
});

it('a key that is removed while mail is signed with it is a fault until another one has taken over', async () => {
  for (const ago of [6, 5, 4]) await arrive(ago, signed('s1', 200), signed('s2', 100));
  published.delete('s1');
  const fault = { events: ['dkim_key_missing/firm.com/firm.com/s1'], dkim: 'warning', findings: ['s1 used_but_gone'] };
  expect(await saidAt(3)).toEqual(fault);
  await arrive(3, signed('s2', 300));
  expect(await saidAt(2)).toEqual({ ...quiet, events: ['-dkim_key_missing/firm.com/firm.com/s1'] });
});

it('a key that mail still carries a day after its removal stays a fault', async () => {
  for (const ago of [9, 8, 7]) await arrive(ago, signed('s1', 200), signed('s2', 100));
  published.delete('s1');
  await saidAt(6);
  for (const ago of [6, 5, 4]) await arrive(ago, signed('s1', 50, 'fail'), signed('s2', 200));
  await arrive(3, signed('s2'));
  expect(await saidAt(2)).toEqual({
    events: ['dkim_key_missing/firm.com/firm.com/s1'],
    dkim: 'warning',
    findings: ['s1 used_but_gone'],
  });
});

it('a key that own servers still sign with stays a fault, though nothing has passed by it for a week', async () => {
  const other = { ...signed('s1'), ip: '46.0.0.1' };
  for (const ago of [20, 19]) await arrive(ago, signed('mail'), other);
  published.delete('mail');
  for (const ago of [6, 5, 4]) await arrive(ago, signed('mail', 300, 'fail'), other);
  expect(await saidAt(3)).toEqual({
    events: ['dkim_key_missing/firm.com/firm.com/mail'],
    dkim: 'warning',
    findings: ['mail used_but_gone'],
  });
});

it('keys of unlike names belong together when one sender signed with both', async () => {
  for (const ago of [8, 7]) await arrive(ago, signed('mail'), { ...signed('s1'), ip: '46.0.0.1' });
  for (const ago of [6, 5, 4]) await arrive(ago, signed('fresh'), { ...signed('s1'), ip: '46.0.0.1' });
  published.delete('mail');
  expect(await saidAt(3)).toEqual(quiet);
});

it('a key of another sender does not take over', async () => {
  for (const ago of [8, 7, 6]) await arrive(ago, signed('mail'), { ...signed('s1'), ip: '46.0.0.1' });
  for (const ago of [5, 4]) await arrive(ago, { ...signed('s1'), ip: '46.0.0.1' });
  published.delete('mail');
  expect(await saidAt(3)).toMatchObject({ dkim: 'warning', findings: ['mail used_but_gone'] });
});

it('a key that is too short is a fault until no report of 90 days has named a selector of the domain', async () => {
  short.add('s1');
  await arrive(110, signed('s1'));
  const fault = { events: ['dkim_key_weak/firm.com/firm.com/s1'], dkim: 'warning' };
  expect(await saidAt(109)).toMatchObject(fault);
  expect(await saidAt(30)).toMatchObject(fault);
  expect(await saidAt(0)).toMatchObject({ events: ['-dkim_key_weak/firm.com/firm.com/s1'], dkim: 'unknown' });
});
