import { findKnownSelectors, findReadPolicies, saveChecks, setOrganization, type NewCheck } from '@dmarc-ledger/ledger';
import { transact } from '@dmarc-ledger/schema';
import type { DescribedReport } from '@dmarc-ledger/testkit';
import { addDays, startOfDay } from '@dmarc-ledger/vocabulary';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openEventFixture, type EventFixture } from './event-fixture.ts';

const TODAY = '2026-06-10';
type Records = NonNullable<DescribedReport['records']>;

let fixture: EventFixture;
let number = 0;
beforeEach(async () => {
  fixture = await openEventFixture();
  fixture.itIs(TODAY, 5);
});
afterEach(() => fixture[Symbol.asyncDispose]());

async function arrive(ago: number, records: Records, p = 'none', sp = p): Promise<void> {
  await fixture.arrive({ id: `r-${(number += 1)}`, begin: startOfDay(addDays(TODAY, -ago)), records, p, sp });
}

const own = (selector: string, count = 10) => ({ ip: '45.0.0.2', count, dkim: 'pass', spf: 'pass', selector }) as const;
const broken = (selector: string, ip: string, count = 100) => ({ ip, count, selector });

async function domainId(): Promise<string> {
  const { rows } = await fixture.database.pool.query<{ id: string }>('select id from domain');
  return rows[0]!.id;
}

async function known(limit = 20): Promise<string[]> {
  const { database, orgId } = fixture;
  const found = await findKnownSelectors(database.db, orgId, await domainId(), { today: TODAY, limit });
  return found.map(({ selector, messages }) => `${selector} ${messages}`);
}

describe('a selector is known', () => {
  it('when it passed within 90 days, those with most passing messages first', async () => {
    await arrive(90, [own('old', 3)]);
    await arrive(91, [own('older', 500)]);
    await arrive(2, [own('a', 5), own('b', 8)]);
    await arrive(1, [own('a', 6)]);
    expect(await known()).toEqual(['a 11', 'b 8', 'old 3']);
    expect(await known(2)).toEqual(['a 11', 'b 8']);
  });

  it('not by a report that is dated ahead, before its day', async () => {
    await arrive(2, [own('a')]);
    await arrive(-400, [own('later', 50)]);
    expect(await known()).toEqual(['a 10']);
  });

  it('when 20 messages of one own source carry it, although it never passes', async () => {
    await arrive(5, [own('a'), { ip: '45.0.0.3', count: 1, spf: 'pass', selector: 'a' }]);
    await arrive(2, [broken('esp', '45.0.0.2', 15), broken('few', '45.0.0.2', 19), broken('shared', '45.0.0.2', 19)]);
    await arrive(1, [broken('esp', '45.0.0.2', 5), broken('shared', '45.0.0.3', 19)]);
    expect(await known()).toEqual(['a 10', 'esp 20']);
  });

  it('not because others carry it, however many messages and selectors there are', async () => {
    await arrive(2, [own('a')]);
    await arrive(
      1,
      Array.from({ length: 20 }, (_, i) => broken(`forged${i}`, `46.0.0.${i}`)),
    );
    expect(await known()).toEqual(['a 10']);
    fixture.itIs(TODAY, 6, 1);
    await fixture.look();
    const named = (await fixture.events()).filter(({ key }) => key.startsWith('dkim_'));
    expect(named.map(({ key }) => key)).toEqual(['dkim_selector_new/example.com/example.com/a']);
  });
});

/** The seconds until the domain is checked; null when that has not moved. */
async function dueIn(): Promise<number | null> {
  const { rows } = await fixture.database.pool.query<{ seconds: number }>(
    'select extract(epoch from check_due_at - now())::float8 as seconds from domain',
  );
  const { seconds } = rows[0]!;
  return seconds > 5 * 3_600 ? null : seconds;
}

interface Ended {
  policy?: 'none' | 'reject';
  /** The `sp` of the record, which receivers do not ask for. */
  unusedSp?: 'none';
  /** Before this, the check has seen all news. */
  begunAt?: Date;
}

/** A check that ends now. */
async function checked({ policy: p = 'none', unusedSp, begunAt }: Ended = {}): Promise<void> {
  const { database, orgId } = fixture;
  const at = new Date();
  if (!begunAt)
    await database.pool.query(`update domain set check_again_at = now() - interval '1 second',
      selector_check_at = case when selector_check_at > now() then now() else selector_check_at end,
      policy_check_at = case when policy_check_at > now() then now() else policy_check_at end`);
  const dmarc: NewCheck = {
    subject: 'dmarc',
    status: 'ok',
    details: '',
    has_record: true,
    is_partial: false,
    records: [],
    notes: [],
    inherited_from: null,
    policy: { p, pct: 100, t: false, ...(unusedSp && { unusedSp }) },
    policy_read_at: at,
    kept: null,
    facts: null,
    checked_at: at,
    verified_at: null,
    failures: 0,
    failed_at: null,
  };
  const states = { dmarc_state: 'verified', tlsrpt_state: 'pending', forensic_state: 'pending', aprf_state: 'pending' };
  const outcome = { states, verifiedAt: at, verifiedSource: 'self' as const, inheritedFrom: null, failures: 0 };
  const dueAt = new Date(at.getTime() + 6 * 3_600_000);
  const id = await domainId();
  await transact(database, (session) =>
    saveChecks(session, { orgId, domainId: id }, [dmarc], {
      ...outcome,
      dueAt,
      checkedAt: at,
      checkedBefore: null,
      begunAt: begunAt ?? at,
    }),
  );
}

/** As if two hours had gone by since the last news. */
async function later(): Promise<void> {
  await fixture.database.pool.query(`update domain set selector_check_at = selector_check_at - interval '2 hours',
    policy_check_at = policy_check_at - interval '2 hours'`);
}

describe('a domain is checked within 10 minutes', () => {
  beforeEach(async () => {
    await arrive(3, [own('a')]);
  });

  it('after its first report, and not after the next', async () => {
    expect(await dueIn()).toBeLessThan(600);
    await checked();
    await arrive(2, [own('a')]);
    expect(await dueIn()).toBeNull();
  });

  it('when a selector becomes known, at most once an hour', async () => {
    await checked();
    await later();
    await arrive(2, [own('b')]);
    expect(await dueIn()).toBeLessThan(600);
    await checked();
    await arrive(1, [own('c')]);
    const seconds = await dueIn();
    expect(seconds).toBeGreaterThan(1_800);
    expect(seconds).toBeLessThan(3_800);
  });

  it('when 20 messages of an own source carry a selector, and not when forged ones do', async () => {
    await checked();
    await later();
    await arrive(2, [broken('forged', '46.0.0.1', 500), broken('esp', '45.0.0.2', 19)]);
    expect(await dueIn()).toBeNull();
    await arrive(1, [broken('esp', '45.0.0.2', 1)]);
    expect(await dueIn()).toBeLessThan(600);
  });

  it('when a report says another policy than was read last, unless it is of long ago', async () => {
    await checked({ policy: 'reject' });
    await arrive(2, [own('a')], 'reject');
    await arrive(10, [own('a')], 'none');
    expect(await dueIn()).toBeNull();
    await arrive(1, [own('a')], 'none');
    expect(await dueIn()).toBeLessThan(600);
    const read = await findReadPolicies(fixture.database.db, fixture.orgId, [await domainId()]);
    expect([...read.values()].map(({ policy }) => policy.p)).toEqual(['reject']);
  });

  it('not when a report repeats the policy for subdomains of a record that receivers do not ask for it', async () => {
    await checked({ policy: 'reject', unusedSp: 'none' });
    await arrive(2, [own('a')], 'reject', 'none');
    expect(await dueIn()).toBeNull();
  });

  it('also when the news arrives while a check is under way', async () => {
    await checked();
    await later();
    await fixture.database.pool.query(
      `update domain set check_planned = true, check_due_at = now() + interval '10 minutes'`,
    );
    const begunAt = new Date(Date.now() - 1_000);
    await arrive(2, [own('b')]);
    await checked({ begunAt });
    expect(await dueIn()).toBeLessThan(600);
  });
});

describe('a domain is checked again', () => {
  const report = async (address: string) => {
    const { database, orgId } = fixture;
    await setOrganization(database, orgId, { reportAddresses: [address] });
  };
  beforeEach(async () => {
    await arrive(3, [own('a')]);
    await checked();
  });

  it('at once when the addresses change that records are compared with', async () => {
    await setOrganization(fixture.database, fixture.orgId, { name: 'Acme' });
    expect(await dueIn()).toBeNull();
    await report('dmarc@example.com');
    expect(await dueIn()).toBeLessThanOrEqual(0);
    await checked();
    await report('dmarc@example.com'); // as before
    expect(await dueIn()).toBeNull();
  });

  it('also when they change while a check is under way, which may have read those before', async () => {
    await fixture.database.pool.query(
      `update domain set check_planned = true, check_due_at = now() + interval '10 minutes'`,
    );
    const begunAt = new Date(Date.now() - 1_000);
    await report('dmarc@example.com');
    await checked({ begunAt });
    expect(await dueIn()).toBeLessThan(120);
  });
});

it('a name below the domain in a report that is dated ahead is as new as one of today, and real mail follows it', async () => {
  const from = (name: string, count: number) => [{ ...own('a', count), headerFrom: `${name}.example.com` }];
  await arrive(-400, from('news', 7));
  await arrive(0, from('news', 5));
  const { rows } = await fixture.database.pool.query(
    'select name, first_day::text, day::text, messages from sending_subdomain',
  );
  expect(rows).toEqual([{ name: 'news.example.com', first_day: TODAY, day: TODAY, messages: 12 }]);
});
