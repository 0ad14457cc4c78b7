import { setTimeout as sleep } from 'node:timers/promises';
import { findChecks, findEvidence } from '@dmarc-ledger/facts';
import { addDomain, planChecks, setOrganization } from '@dmarc-ledger/ledger';
import { publicSuffixDomains } from '@dmarc-ledger/dmarc';
import { readKeptEvidence } from '@dmarc-ledger/dns-records';
import { givenSignatures } from '@dmarc-ledger/testkit';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkDomain } from '../src/index.ts';
import { brokenDomains } from './domains/broken.ts';
import { oddDomains } from './domains/odd.ts';
import type { Published } from './domains/published.ts';
import { realDns, type RealDns } from './domains/real-dns.ts';
import { domainsOfStates } from './domains/states.ts';
import { weakDomains } from './domains/weak.ts';
import { openLedger, type Ledger } from './ledger.ts';

const published = [...domainsOfStates, ...brokenDomains, ...weakDomains, ...oddDomains];
const protocols = ['dmarc', 'spf', 'dkim', 'mta_sts', 'tls_rpt', 'bimi', 'dane', 'aprf'];
const states = ['dmarc_state', 'forensic_state', 'tlsrpt_state', 'aprf_state'];
const ids = new Map<string, string>();
let dns: RealDns;
let ledger: Ledger;

beforeAll(async () => {
  dns = await realDns(published);
  ledger = await openLedger('Postgres', () => ({ askDns: dns.askDns() }));
  const { db } = ledger.database;
  await setOrganization(ledger.database, ledger.orgId, { reportAddresses: ['RUA@ledger.example'] });
  for (const each of published) ids.set(each.domain, await given(each));
  await planChecks(ledger.database, {
    inHand: 100,
    inHandOfOrganization: 100,
    discoveredInHand: 100,
    silentInHand: 100,
    atOnce: 100,
    lostAfterSeconds: 60,
  });
  const unchecked = db.selectFrom('domain').select('id').where('checked_at', 'is', null);
  while ((await unchecked.execute()).length > 0) await sleep(100);
});
afterAll(async () => {
  await ledger?.[Symbol.asyncDispose]();
  await dns?.[Symbol.asyncDispose]();
});

/** Monitored, with the signatures that its reports have named. */
async function given({ domain, selectors = [] }: Published): Promise<string> {
  const { id } = await addDomain(ledger.database.db, ledger.orgId, domain, {});
  const day = new Date().toISOString().slice(0, 10);
  const seen = selectors.map(([selector, signer], i) => ({
    domainId: id,
    selector,
    signer,
    day,
    messages: 100 - i,
  }));
  await givenSignatures(ledger.database.db, ledger.orgId, seen);
  return id;
}

async function foundOf(domain: string): Promise<{ [subject: string]: string }> {
  const checks = await findChecks(ledger.database.db, ledger.orgId, ids.get(domain)!);
  return Object.fromEntries(
    checks.map(({ subject, status, details, inherited_from }) => [
      subject,
      `${status}${details && `: ${details}`}${inherited_from && !subject.endsWith('_state') ? ` (from ${inherited_from})` : ''}`,
    ]),
  );
}

describe('what a domain publishes is found out from its own servers', () => {
  it.each(published)('$domain', async ({ domain, found: expected, states: expectedStates }) => {
    const found = await foundOf(domain);
    expect(protocols.map((protocol) => found[protocol])).toEqual(expected);
    expect(states.map((state) => found[state])).toEqual(expectedStates);
  });

  it('without a validating resolver, DANE is not known', async () => {
    const needs = {
      database: ledger.database,
      organizationalDomain: publicSuffixDomains(),
      ask: dns.askDns({ isValidating: false }),
    };
    await checkDomain(needs, { orgId: ledger.orgId, domainId: ids.get('good.com')! });
    expect((await foundOf('good.com'))['dane']).toBe('unknown: DANE could not be checked: no validating resolver.');
  });

  it('names below a domain that mail was sent from are known not to exist when its servers say so', async () => {
    const { database, orgId } = ledger;
    const key = { orgId, domainId: ids.get('good.com')! };
    for (const name of ['gone.good.com', '_dmarc.good.com', '_domainkey.good.com'])
      await sql`insert into sending_subdomain (org_id, domain_id, name, first_day, day, messages)
        values (${orgId}, ${key.domainId}, ${name}, current_date, current_date, 1)`.execute(database.db);
    await checkDomain({ database, organizationalDomain: publicSuffixDomains(), ask: dns.askDns() }, key);
    const checks = await findChecks(database.db, orgId, key.domainId);
    expect(checks.find(({ subject }) => subject === 'subdomains')?.facts).toEqual({ absent: ['gone.good.com'] });
  });

  it('what each name server said, the SPF tree and the keys are stored beside the findings', async () => {
    const { database, orgId } = ledger;
    const subjects = ['name_servers', 'spf_tree', 'dkim_keys'] as const;
    const stored = await findEvidence(database.db, orgId, ids.get('good.com')!, subjects);
    const { name_servers: servers, spf_tree: tree, dkim_keys: keys } = readKeptEvidence(stored);
    const [asked] = servers?.body.dmarc ?? [];
    expect(asked?.name).toBe('_dmarc.good.com');
    expect(asked?.servers.map(({ outcome }) => outcome)).toContain('found');
    expect(asked?.servers.every(({ server }) => server.endsWith('.'))).toBe(false);
    expect(asked?.servers.flatMap(({ records }) => records)[0]).toMatch(/^v=DMARC1/);
    expect(tree?.body).toMatchObject({ domain: 'good.com', isComplete: true });
    expect(tree?.body.record).toMatch(/^v=spf1/);
    expect(keys?.body.map(({ kind }) => kind)).toContain('rsa');
    expect(Math.max(...(keys?.body ?? []).map(({ since }) => since))).toBeLessThanOrEqual(Date.now());
  });

  it('the name that an alias leads to is stored with what each server said, also of one zone', async () => {
    const { database, orgId } = ledger;
    const stored = await findEvidence(database.db, orgId, ids.get('alias.com')!, ['name_servers']);
    const { dmarc = [], dkim = [] } = readKeptEvidence(stored).name_servers?.body ?? {};
    const aliasesOf = (answers: typeof dmarc) =>
      answers.map(({ name, servers }) => [name, ...new Set(servers.map(({ alias }) => alias))]);
    expect(aliasesOf(dmarc)).toEqual([['_dmarc.alias.com', 'alias.dmarc.vendor.test']]);
    expect(aliasesOf(dkim)).toEqual([
      ['s1._domainkey.alias.com', 'key.vendor.test'],
      ['s2._domainkey.alias.com', 's2.keys.alias.com'],
    ]);
  });

  it('the name that an alias of an inherited DMARC record leads to is stored as well', async () => {
    const stored = await findEvidence(ledger.database.db, ledger.orgId, ids.get('mail.alias.com')!, ['name_servers']);
    const { dmarc = [] } = readKeptEvidence(stored).name_servers?.body ?? {};
    expect(dmarc.map(({ name, servers }) => [name, servers[0]?.alias])).toEqual([
      ['_dmarc.mail.alias.com', undefined],
      ['_dmarc.alias.com', 'alias.dmarc.vendor.test'],
    ]);
  });

  it('an MTA-STS policy is not fetched again within a day, unless everything is to be looked at anew', async () => {
    const fetched = () => dns.https.seen.filter((place) => place.startsWith('mta-sts.good.com/')).length;
    const needs = { database: ledger.database, organizationalDomain: publicSuffixDomains(), ask: dns.askDns() };
    const key = { orgId: ledger.orgId, domainId: ids.get('good.com')! };
    const before = fetched();
    expect(before).toBe(1); // however often this domain was checked
    await checkDomain(needs, key);
    expect(fetched()).toBe(before);
    expect((await foundOf('good.com'))['mta_sts']).toBe('ok: MTA-STS is enforced.');
    await checkDomain({ ...needs, isAnew: true }, key);
    expect(fetched()).toBe(before + 1);
    const tomorrow = () => new Date(Date.now() + 86_400_000);
    await checkDomain({ ...needs, now: tomorrow }, key);
    expect(fetched()).toBe(before + 2);
  });

  it('a verified domain names the owner of its record, and one that was never checked is pending', async () => {
    const { db } = ledger.database;
    await addDomain(db, ledger.orgId, 'new.com', {});
    const rows = await db
      .selectFrom('domain')
      .select(['name', 'dmarc_state', 'aprf_state', 'verified_source', 'inherited_from'])
      .where('name', 'in', ['new.com', 'good.com', 'mail.good.com', 'empty.com'])
      .orderBy('name')
      .execute();
    expect(rows.map((row) => Object.values(row))).toEqual([
      ['empty.com', 'not_published', 'not_published', null, null],
      ['good.com', 'verified', 'verified', 'self', null],
      ['mail.good.com', 'verified_inherited', 'verified', 'inherited', 'good.com'],
      ['new.com', 'pending', 'pending', null, null],
    ]);
  });

  it('nothing has gone wrong on the way', () => expect(ledger.faults).toEqual([]));
});
