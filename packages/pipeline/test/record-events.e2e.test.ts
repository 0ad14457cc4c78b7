import { generateKeyPairSync } from 'node:crypto';
import { addDomain, removeDomain, setOrganization } from '@dmarc-ledger/ledger';
import { publicSuffixDomains } from '@dmarc-ledger/dmarc';
import { guardedFetch, openDnsClient } from '@dmarc-ledger/lookups';
import { type DnsBehaviour, faultDns, type FaultDns, givenSignatures } from '@dmarc-ledger/testkit';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { askDns, checkDomain } from '../src/index.ts';
import { openEventFixture, type EventFixture } from './event-fixture.ts';

const DAY = '2026-03-10';
const OURS = 'rua=mailto:rua@ledger.example';
const key = generateKeyPairSync('rsa', { modulusLength: 2_048 }).publicKey.export({ type: 'spki', format: 'der' });
const good = {
  '_dmarc.firm.com': `v=DMARC1; p=reject; ${OURS}`,
  'firm.com': 'v=spf1 ip4:192.0.2.0/24 -all',
  's1._domainkey.firm.com': `v=DKIM1; p=${key.toString('base64')}`,
  '_mta-sts.firm.com': '',
};
type Texts = { [name in keyof typeof good]?: string | string[] };

let dns: FaultDns;
let fixture: EventFixture;
let domainId: string;
let texts: Texts;
let mail: string;
let failing: Set<string>;

/** One server for all zones, with the texts and the mail server that the domain publishes at the moment. */
const rule = ({ name, type }: { name: string; type: string }): DnsBehaviour => {
  if (failing.has(name)) return { rcode: 2 };
  const answer = (data: object | string) => ({ answers: [{ type, name, ttl: 0, data } as never] });
  if (type === 'NS' && (name === 'firm.com' || name === 'com')) return answer('ns.com');
  if (type === 'A' && (name === 'ns.com' || name === mail)) return answer('127.0.0.1');
  if (type === 'MX' && name === 'firm.com') return answer({ preference: 10, exchange: mail });
  const text = texts[name as keyof Texts];
  if (Array.isArray(text))
    return { answers: text.map((data) => ({ type: 'TXT', name, ttl: 0, data: [data] }) as never) };
  if (text) return type === 'TXT' ? answer(text.match(/.{1,255}/g)!) : {};
  return name === 'firm.com' || name === 'com' || name === 'ns.com' ? {} : { rcode: 3 };
};

beforeEach(async () => {
  texts = { ...good };
  mail = 'mx1.firm.com';
  failing = new Set();
  dns = await faultDns({ '*': rule });
  fixture = await openEventFixture();
  const { database, orgId } = fixture;
  fixture.itIs(DAY, 0);
  await setOrganization(database, orgId, { reportAddresses: ['rua@ledger.example'] });
  ({ id: domainId } = await addDomain(database.db, orgId, 'firm.com', {}));
  const signed = { domainId, signer: 'firm.com', selector: 's1', messages: 25, day: '2026-03-09' };
  await givenSignatures(database.db, orgId, [signed]);
});
afterEach(async () => {
  await Promise.all([dns, fixture].map((each) => each[Symbol.asyncDispose]()));
});

/** The events after a check at this time of the day, and a look at its findings. */
async function checkedAt(hours: number, minutes = 0): Promise<string[]> {
  const client = openDnsClient({ servers: [dns], timeoutMs: 5_000, cacheEntries: 0, isAllowedServer: () => true });
  const search = { client, port: dns.port, isAllowed: () => true };
  const https = guardedFetch({ client });
  const { database, orgId } = fixture;
  fixture.itIs(DAY, hours, minutes);
  await checkDomain(
    {
      database,
      organizationalDomain: publicSuffixDomains(),
      ask: (signal) => askDns({ dns: client, search, https, isValidating: false }, signal),
      now: () => new Date(`${DAY}T${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}:00Z`),
    },
    { orgId, domainId },
  );
  fixture.itIs(DAY, hours, minutes, 10);
  await fixture.look();
  const events = (await fixture.events()).filter(({ type }) => type !== 'dkim_selector_new');
  return events.map(({ type, resolved }) => (resolved === null ? type : `-${type}`));
}

async function nextCheck(): Promise<number> {
  const { rows } = await fixture.database.pool.query<{ minutes: number }>(
    'select extract(epoch from check_due_at - checked_at)::float8 / 60 as minutes from domain',
  );
  return rows[0]!.minutes;
}

it('a removed record raises an event when a second check agrees, and over when it is back', async () => {
  expect(await checkedAt(1)).toEqual([]);
  expect(await nextCheck()).toBeGreaterThan(60);
  delete texts['_dmarc.firm.com'];
  expect(await checkedAt(7)).toEqual([]);
  expect(await nextCheck()).toBeGreaterThanOrEqual(15);
  expect(await nextCheck()).toBeLessThanOrEqual(18);
  expect(await checkedAt(7, 10)).toEqual([]);
  expect(await checkedAt(7, 16)).toEqual(['dmarc_record_missing', 'dmarc_verification_lost']);
  expect(await checkedAt(8)).toEqual(['dmarc_record_missing', 'dmarc_verification_lost']);
  texts['_dmarc.firm.com'] = good['_dmarc.firm.com'];
  expect(await checkedAt(9)).toEqual(['-dmarc_record_missing', '-dmarc_verification_lost', 'verification_gained']);
});

it('several records are the same at each check, in whatever order the servers give them', async () => {
  await fixture.database.pool.query("update domain set created_at = now() - interval '1 year'"); // checked less often
  await checkedAt(1);
  const two = [good['_dmarc.firm.com'], 'v=DMARC1; p=none'];
  texts['_dmarc.firm.com'] = two;
  expect(await checkedAt(7)).toEqual([]);
  texts['_dmarc.firm.com'] = two.toReversed();
  expect(await checkedAt(7, 16)).toEqual(['dmarc_record_multiple', 'dmarc_verification_lost']);
  texts['_dmarc.firm.com'] = two;
  await checkedAt(9);
  expect(await nextCheck()).toBeGreaterThan(60);
  const { rows } = await fixture.database.pool.query(
    "select status from domain_check_change where subject = 'dmarc' order by at",
  );
  expect(rows).toEqual([{ status: 'ok' }, { status: 'error' }]);
});

it('the history of a record says which findings rest on all answers, and which do not', async () => {
  const history = async (subject: string) => {
    const { rows } = await fixture.database.pool.query<{ records: string[]; is_partial: boolean }>(
      'select records, is_partial from domain_check_change where subject = $1 order by at',
      [subject],
    );
    return rows.map(
      (row) => `${row.records.join(' | ').replaceAll(/(?<=p=\w{3})[\w+/]{9}[\w+/=]*/g, '')} ${row.is_partial}`,
    );
  };
  const two = { domainId, signer: 'firm.com', selector: 's2', messages: 25, day: '2026-03-09' };
  await givenSignatures(fixture.database.db, fixture.orgId, [two]);
  Object.assign(texts, { 's2._domainkey.firm.com': good['s1._domainkey.firm.com'] });
  await checkedAt(1);
  failing = new Set(['_dmarc.firm.com', 's2._domainkey.firm.com']);
  await checkedAt(7);
  failing.clear();
  Object.assign(texts, { '_dmarc.firm.com': `v=DMARC1; p=none; ${OURS}`, 's2._domainkey.firm.com': undefined });
  await checkedAt(13);
  expect(await history('dmarc')).toEqual([
    `v=DMARC1; p=reject; ${OURS} false`,
    ' true',
    `v=DMARC1; p=none; ${OURS} false`,
  ]);
  expect(await history('dkim')).toEqual([
    'v=DKIM1; p=MII | v=DKIM1; p=MII false',
    'v=DKIM1; p=MII true',
    'v=DKIM1; p=MII false',
  ]);
});

it('a removed record raises an event also where the servers answer every other check', async () => {
  await checkedAt(1);
  delete texts['_dmarc.firm.com'];
  expect(await checkedAt(7)).toEqual([]);
  dns.scenario['*'] = { rcode: 2 };
  expect(await checkedAt(7, 16)).toEqual([]);
  dns.scenario['*'] = rule;
  expect(await checkedAt(7, 32)).toEqual(['dmarc_record_missing', 'dmarc_verification_lost']);
});

it('a record that flickers raises nothing', async () => {
  await checkedAt(1);
  for (const hour of [7, 8, 9]) {
    delete texts['_dmarc.firm.com'];
    expect(await checkedAt(hour)).toEqual([]);
    texts['_dmarc.firm.com'] = good['_dmarc.firm.com'];
    expect(await checkedAt(hour, 16)).toEqual([]);
  }
});

it('a weakened, changed, revoked or moved record raises its own event', async () => {
  expect(await checkedAt(1)).toEqual([]);
  texts = {
    '_dmarc.firm.com': `v=DMARC1; p=none; ${OURS}`,
    'firm.com': 'v=spf1 +all',
    's1._domainkey.firm.com': 'v=DKIM1; p=',
  };
  mail = 'mx2.firm.com';
  expect(await checkedAt(7)).toEqual(['dkim_key_revoked', 'dmarc_policy_weakened', 'spf_permissive']);
  expect(await checkedAt(7, 16)).toEqual(['dkim_key_revoked', 'dmarc_policy_weakened', 'spf_permissive', 'mx_changed']);
  const events = await fixture.events();
  expect(events.find(({ type }) => type === 'dmarc_policy_weakened')?.message).toBe(
    'The policy of firm.com changed from reject to none.',
  );
  texts = { ...good, 'firm.com': 'v=spf1 ip4:192.0.2.1 -all' };
  expect(await checkedAt(9)).toEqual([
    '-dkim_key_revoked',
    '-dmarc_policy_weakened',
    '-spf_permissive',
    'mx_changed',
    'dmarc_policy_strengthened',
    'spf_record_changed',
  ]);
});

it('servers that say nothing are no reason for an event', async () => {
  await checkedAt(1);
  dns.scenario['*'] = { rcode: 2 };
  expect(await checkedAt(7)).toEqual([]);
  expect(await checkedAt(7, 30)).toEqual([]);
  dns.scenario['*'] = rule;
  expect(await checkedAt(8)).toEqual([]);
});

it('what is still wrong is an open event again after the domain was removed by mistake', async () => {
  const { database, orgId } = fixture;
  await checkedAt(1);
  texts['_dmarc.firm.com'] = 'v=DMARC1; p=none';
  await checkedAt(7);
  expect(await checkedAt(7, 16)).toEqual(['dmarc_policy_weakened', 'dmarc_verification_lost']);
  await removeDomain(database, orgId, 'firm.com');
  await addDomain(database.db, orgId, 'firm.com', {});
  const about = async () => (await fixture.events()).filter(({ type }) => type.startsWith('dmarc_'));
  expect((await about()).map(({ resolved }) => resolved)).toEqual([DAY, DAY]);
  expect(await checkedAt(7, 30)).toEqual(['dmarc_policy_weakened', 'dmarc_verification_lost']);
  expect((await about())[0]?.message).toBe('The policy of firm.com changed from reject to none.');
});
