import { setTimeout as sleep } from 'node:timers/promises';
import {
  addDomain,
  createOrganization,
  openDimensions,
  planChecks,
  planHealth,
  setOrganization,
} from '@dmarc-ledger/ledger';
import { cloneDatabase, reportXml, type ClonedDatabase } from '@dmarc-ledger/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Ask } from '@dmarc-ledger/dns-records';
import { computeHealth } from '../src/index.ts';
import { openLedger, receive, settled, type Ledger } from './ledger.ts';

const PLAN = {
  inHand: 10,
  inHandOfOrganization: 100,
  discoveredInHand: 100,
  silentInHand: 100,
  atOnce: 4,
  lostAfterSeconds: 600,
};

/** Answers that nothing is published, and records the domain of each check; a check may ask for a name again. */
function nothingPublished(asked: string[]): () => Ask {
  const none = async () => ({ kind: 'none' as const });
  return () => {
    const domains = new Set<string>();
    return {
      isValidating: false,
      async text(name) {
        const domain = name.startsWith('_mta-sts.') ? name.slice('_mta-sts.'.length) : undefined;
        if (domain !== undefined && !domains.has(domain)) asked.push(domain);
        if (domain !== undefined) domains.add(domain);
        return { kind: 'none' };
      },
      mailServers: none,
      addresses: none,
      isNameAbsent: async () => false,
      validatedMailServers: async () => ({ found: { kind: 'none' }, isSecure: false }),
      tlsa: async () => ({ found: { kind: 'none' }, isSecure: false }),
      presented: async () => ({ kind: 'unasked' }),
      fetch: async () => ({ kind: 'silent', reason: 'timeout' }),
    };
  };
}

describe.each(['Postgres', 'Redis'] as const)('with its queue in %s', (backend) => {
  const asked: string[] = [];
  let ledger: Ledger;
  beforeAll(async () => {
    ledger = await openLedger(backend, () => ({ askDns: nothingPublished(asked) }));
  });
  afterAll(() => ledger[Symbol.asyncDispose]());

  const isChecked = async (name: string) => {
    const row = await ledger.database.db
      .selectFrom('domain')
      .select('checked_at')
      .where('name', '=', name)
      .executeTakeFirst();
    return row?.checked_at != null;
  };

  it('a domain is checked once as soon as it is added, by a person or by a report', async () => {
    await addDomain(ledger.database.db, ledger.orgId, 'person.com', {});
    await ledger.handIn(reportXml({ domain: 'report.com' }));
    await ledger.settled();
    expect(await planChecks(ledger.database, PLAN)).toBe(2);
    while (!((await isChecked('person.com')) && (await isChecked('report.com')))) await sleep(50);
    expect(asked.toSorted()).toEqual(['person.com', 'report.com']);
    expect(await planChecks(ledger.database, PLAN)).toBe(0);
  });

  it('is shown how it is doing soon after', async () => {
    const healths = () => ledger.database.db.selectFrom('domain_health').select('domain_id').execute();
    while ((await healths()).length < 2) {
      await planHealth(ledger.database, { inHand: 100, atOnce: 100 });
      await sleep(50);
    }
    expect(ledger.faults).toEqual([]);
  });
});

describe('the plan', () => {
  let database: ClonedDatabase; // without a running worker
  let orgId: string;
  beforeAll(async () => {
    database = await cloneDatabase();
    ({ id: orgId } = await createOrganization(database.db, { name: 'Org' }));
  });
  afterAll(() => database[Symbol.asyncDispose]());
  beforeEach(async () => {
    await database.pool.query('delete from domain');
    for (let i = 0; i < 25; i += 1) await addDomain(database.db, orgId, `d${i}.com`, {});
  });
  const count = async (where: string) => {
    const { rows } = await database.pool.query<{ n: number }>(`select count(*)::int as n from domain where ${where}`);
    return rows[0]!.n;
  };

  it('never has more in hand than it may, however often and by however many it is made', async () => {
    const planned: number[] = [];
    for (let i = 0; i < 5; i += 1) planned.push(await planChecks(database, PLAN));
    expect(planned).toEqual([4, 4, 2, 0, 0]);
    expect(await count('check_planned')).toBe(10);
    await Promise.all(Array.from({ length: 8 }, () => planChecks(database, { ...PLAN, inHand: 12 })));
    expect(await count('check_planned')).toBe(12);
  });

  it('takes those overdue longest first, and leaves those that are not due', async () => {
    await database.pool.query(`update domain set check_due_at = now() + interval '1 hour' where name <> 'd7.com'`);
    await database.pool.query(`update domain set check_due_at = now() - interval '1 hour' where name = 'd3.com'`);
    expect(await planChecks(database, { ...PLAN, atOnce: 1 })).toBe(1);
    expect(await count(`check_planned and name = 'd3.com'`)).toBe(1);
    expect(await planChecks(database, PLAN)).toBe(1);
    expect(await count(`check_planned and name = 'd7.com'`)).toBe(1);
    expect(await planChecks(database, PLAN)).toBe(0);
  });

  it('serves the organizations in turn, however many domains one of them has due', async () => {
    const { id: otherId } = await createOrganization(database.db, { name: 'Other' });
    for (const name of ['x.com', 'y.com']) await addDomain(database.db, otherId, name, {});
    await database.pool.query(`update domain set check_due_at = now() - interval '1 hour' where org_id = $1`, [orgId]);
    expect(await planChecks(database, PLAN)).toBe(4);
    expect(await count(`check_planned and org_id = '${otherId}'`)).toBe(2);
    expect(await count(`check_planned and org_id = '${orgId}'`)).toBe(2);
  });

  it('has only some of one organization in hand, so that the next check of another begins soon', async () => {
    const few = { ...PLAN, inHand: 100, inHandOfOrganization: 6 };
    expect(await planChecks(database, few)).toBe(4);
    expect(await planChecks(database, few)).toBe(2);
    expect(await planChecks(database, few)).toBe(0);
    const { id: otherId } = await createOrganization(database.db, { name: 'Late' });
    await addDomain(database.db, otherId, 'late.com', {});
    expect(await planChecks(database, few)).toBe(1);
    expect(await count(`check_planned and org_id = '${otherId}'`)).toBe(1);
    await database.pool.query(
      `update domain set check_planned = false, check_due_at = now() + interval '1 day'
      where org_id = $1 and id in (select id from domain where check_planned and org_id = $1 limit 2)`,
      [orgId],
    );
    expect(await planChecks(database, few)).toBe(2);
  });

  it('has few in hand that did not answer before, beside all those that may, whatever is due longest', async () => {
    const some = { ...PLAN, inHand: 12, silentInHand: 3, atOnce: 100 };
    await database.pool.query(`update domain set check_failures = 1, check_due_at = now() - interval '1 hour'
      where substring(name from 2 for 1) <> '2'`); // d2 and d20 to d24 are left
    expect(await planChecks(database, some)).toBe(9);
    expect(await count('check_planned and check_failures = 0')).toBe(6);
    expect(await count('check_planned and check_failures > 0')).toBe(3);
    expect(await planChecks(database, some)).toBe(0);
    const { id: otherId } = await createOrganization(database.db, { name: 'Silent too' });
    for (let i = 0; i < 20; i += 1) await addDomain(database.db, otherId, `e${i}.com`, {});
    await database.pool.query(`update domain set check_failures = 1 where name = 'e0.com'`);
    expect(await planChecks(database, some)).toBe(6); // of those that may have twelve in hand
    await database.pool.query(
      `update domain set check_planned = false, check_due_at = now() + interval '1 day'
      where id in (select id from domain where check_planned and check_failures > 0 limit 1)`,
    );
    expect(await planChecks(database, some)).toBe(1);
    expect(await count(`check_planned and name = 'e0.com'`)).toBe(1); // the turn of the organization without any
  });

  it('has few in hand that reports alone have named, until they are checked or a person adds them', async () => {
    const some = { ...PLAN, inHand: 100, discoveredInHand: 3, atOnce: 100 };
    await database.pool.query(`update domain set source = 'auto' where substring(name from 2 for 1) <> '2'`);
    expect(await planChecks(database, some)).toBe(9);
    expect(await count(`check_planned and source = 'auto'`)).toBe(3);
    await addDomain(database.db, orgId, 'd3.com', {});
    await database.pool.query(`update domain set checked_at = now() where name = 'd4.com'`);
    await planChecks(database, some);
    expect(await count(`check_planned and name in ('d3.com', 'd4.com')`)).toBe(2);
    expect(await count(`check_planned and source = 'auto' and checked_at is null`)).toBe(3);
  });

  it('plans again what was planned and never heard of', async () => {
    while ((await planChecks(database, { ...PLAN, inHand: 100 })) > 0);
    await database.pool.query(`update domain set check_due_at = now() - interval '1 second' where name < 'd2'`);
    const lost = await count(`name < 'd2'`);
    expect(lost).toBe(12);
    expect(await planChecks(database, { ...PLAN, inHand: 100, atOnce: 100 })).toBe(lost);
  });

  it('never has more healths in hand than its limit, and one more for each that was computed', async () => {
    const PLAN = { inHand: 10, atOnce: 4 };
    const planned: number[] = [];
    for (let i = 0; i < 5; i += 1) planned.push(await planHealth(database, PLAN));
    expect(planned).toEqual([4, 4, 2, 0, 0]);
    await Promise.all(Array.from({ length: 8 }, () => planHealth(database, { ...PLAN, inHand: 12 })));
    expect(await count('health_planned')).toBe(12);
    const { rows } = await database.pool.query<{ id: string }>(
      `select id from domain where health_planned order by health_due_at limit 3`,
    );
    for (const { id } of rows) await computeHealth({ database }, { orgId, domainId: id });
    expect(await count('health_planned')).toBe(9);
    expect(await planHealth(database, { ...PLAN, inHand: 12 })).toBe(3);
    await database.pool.query(`update domain set health_due_at = now() where health_planned`); // lost
    expect(await planHealth(database, { inHand: 100, atOnce: 100 })).toBe(22);
  });

  it('leaves domains that are no longer monitored', async () => {
    await database.pool.query('update domain set monitored = false');
    expect(await planChecks(database, PLAN)).toBe(0);
  });
});

describe('discovered domains', () => {
  let ledger: Ledger;
  beforeAll(async () => {
    ledger = await openLedger('Postgres');
    await setOrganization(ledger.database, ledger.orgId, { reportAddresses: ['rua@ledger.example'] });
  });
  afterAll(() => ledger[Symbol.asyncDispose]());
  const names = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => `forged${from + i}.com`);
  const find = async (where: string) => {
    const { rows } = await ledger.database.pool.query<{ name: string; source: string }>(
      `select name, source from domain where ${where} order by name`,
    );
    return rows;
  };

  /** Receives one report about each of these domains. */
  const arrive = async (orgId: string, ...all: string[]) => {
    const reports = all.map((domain) => reportXml({ id: domain, domain }));
    await receive({ ...ledger, orgId }, ...reports);
    await settled({ ...ledger, orgId });
  };

  /** Domains as their first reports leave them: a statement stores many in the time of one report. */
  const known = async (orgId: string, all: string[]) => {
    await ledger.database.pool.query(
      `insert into domain (org_id, id, name, source, monitored)
       select $1, gen_random_uuid(), name, 'auto', true from unnest($2::text[]) name`,
      [orgId, all],
    );
  };

  it('are monitored up to five hundred, and are kept beyond', async () => {
    const { db } = ledger.database;
    await addDomain(db, ledger.orgId, 'wanted.com', {});
    await arrive(ledger.orgId, ...names(0, 30));
    await known(ledger.orgId, names(30, 430));
    await arrive(ledger.orgId, ...names(420, 530), 'wanted.com');
    expect(await find(`source = 'auto' and monitored`)).toHaveLength(500);
    expect(await find('not monitored')).toHaveLength(30);
    await arrive(ledger.orgId, ...names(530, 550));
    expect(await find(`source = 'auto' and monitored`)).toHaveLength(500);
    expect(await find(`name = 'wanted.com'`)).toEqual([{ name: 'wanted.com', source: 'both' }]);
  });

  it('become monitored when a person adds them, and another one takes their place', async () => {
    const { db } = ledger.database;
    const [unmonitored] = await find('not monitored');
    expect(await addDomain(db, ledger.orgId, unmonitored!.name, {})).toMatchObject({ source: 'both' });
    expect(await find(`monitored and name = '${unmonitored!.name}'`)).toHaveLength(1);
    expect(await addDomain(db, ledger.orgId, 'forged0.com', {})).toMatchObject({ source: 'both' });
    await arrive(ledger.orgId, 'another.com', 'one-too-many.com');
    expect(await find(`monitored and name in ('another.com', 'one-too-many.com')`)).toHaveLength(1);
  });

  it('are no more when many bring them at the same time', async () => {
    const { db } = ledger.database;
    const { id: orgId } = await createOrganization(db, { name: 'Flooded' });
    await known(orgId, names(0, 400));
    const batch = (from: number) => arrive(orgId, ...names(from, from + 30));
    await Promise.all(Array.from({ length: 8 }, (_, i) => batch(390 + i * 27))); // some names come twice
    expect(await find(`org_id = '${orgId}' and source = 'auto' and monitored`)).toHaveLength(500);
    expect(await find(`org_id = '${orgId}'`)).toHaveLength(609);
  });

  it('are only names before a report about them is stored', async () => {
    const { db } = ledger.database;
    const { id: orgId } = await createOrganization(db, { name: 'Named' });
    await openDimensions(ledger.database).domainIds(orgId, ['named.com']);
    expect(await find(`org_id = '${orgId}' and monitored`)).toEqual([]);
    expect(await addDomain(db, orgId, 'named.com', {})).toMatchObject({ source: 'manual' });
    await arrive(orgId, 'named.com');
    expect(await find(`org_id = '${orgId}' and monitored`)).toEqual([{ name: 'named.com', source: 'both' }]);
  });
});
