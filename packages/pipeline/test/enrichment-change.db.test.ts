import { makeApi } from '@dmarc-ledger/api';
import { createKey, createOrganization } from '@dmarc-ledger/ledger';
import { reportXml, type DescribedReport } from '@dmarc-ledger/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startChanging, type ChangingWorld } from './enrichment/changing.ts';
import { openEnrichingLedger, type EnrichingLedger } from './enrichment/fixture.ts';
import { receive, settled } from './ledger.ts';

let world: ChangingWorld;
let ledger: EnrichingLedger;
let reports = 0;

beforeAll(async () => {
  world = await startChanging();
  ledger = await openEnrichingLedger(world);
});
afterAll(async () => {
  await ledger[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
});

type Records = NonNullable<DescribedReport['records']>;
const report = (records: Records) => reportXml({ id: `r-${(reports += 1)}`, records });

async function given(records: Records): Promise<void> {
  await ledger.handIn(report(records));
  await ledger.settled();
  await ledger.lookUp();
}

/** Looks up one address again; returns how often its mail was judged for it. */
async function lookAgain(kind: 'ptr' | 'lists' | 'abuse', ip: string): Promise<number> {
  const before = await ledger.judgements(ip);
  await ledger.makeDue([kind], [ip]);
  await ledger.lookUp();
  return (await ledger.judgements(ip)) - before;
}

async function messagesByClass(ip: string) {
  const { rows } = await ledger.database.pool.query(
    `select t.forwarded, t.suspicious, t.needs_review, (select array_agg(distinct class) from report_record r
      where r.org_id = t.org_id and r.source_ip = t.source_ip) as classes
     from source_total t where org_id = $1 and source_ip = $2`,
    [ledger.orgId, ip],
  );
  return rows[0];
}

/** Every row about an address, each with the transaction that wrote it last. */
async function rowsAbout(ip: string) {
  const tables = {
    ip_enrichment: 'address',
    source_standing: 'source_ip',
    source_total: 'source_ip',
    stored_record: 'source_ip',
  };
  const found = await Promise.all(
    Object.entries(tables).map(([table, column]) =>
      ledger.database.pool.query(`select xmin::text, * from ${table} where ${column} = $1`, [ip]),
    ),
  );
  return found.map(({ rows }) => rows);
}

const forwarded = async () =>
  (
    await ledger.database.pool.query('select coalesce(sum(forwarded), 0) as sum from org_day where org_id = $1', [
      ledger.orgId,
    ])
  ).rows[0].sum;

describe('a fact that changes', () => {
  it('has the mail of its source judged again, once, and nothing else touched', async () => {
    const [listed, other] = ['45.0.0.1', '45.0.0.2'];
    await given([listed, other].map((ip) => ({ ip, count: 5 })));
    expect(await messagesByClass(listed)).toMatchObject({ needs_review: 5, suspicious: 0, classes: ['needs_review'] });
    const untouched = await rowsAbout(other);
    world.list(listed, '127.0.0.2');
    expect(await lookAgain('lists', listed)).toBe(1);
    expect(await messagesByClass(listed)).toMatchObject({ needs_review: 0, suspicious: 5, classes: ['suspicious'] });
    world.list(listed);
    expect(await lookAgain('lists', listed)).toBe(1);
    expect(await messagesByClass(listed)).toMatchObject({ needs_review: 5, suspicious: 0, classes: ['needs_review'] });
    expect(await rowsAbout(other)).toEqual(untouched);
    expect(await ledger.drift()).toBe(0);
  });

  it('is no change when the answer is the same', async () => {
    const ip = '45.0.1.1';
    await given([{ ip, count: 5 }]);
    const [, ...judged] = await rowsAbout(ip);
    expect(await lookAgain('lists', ip)).toBe(0);
    expect(await lookAgain('ptr', ip)).toBe(0);
    expect((await rowsAbout(ip)).slice(1)).toEqual(judged);
  });

  it('makes a source a forwarder, and its messages forwarded ones, to the last', async () => {
    const ip = '45.0.2.1';
    const before = await forwarded();
    await given([
      { ip, count: 7, spf: 'fail', spfDomain: 'bounce.other.test' },
      { ip, count: 4, dkim: 'pass' },
    ]);
    expect(await forwarded()).toBe(before);
    world.name(ip, 'mx-one.improvmx.com');
    expect(await lookAgain('ptr', ip)).toBe(1);
    expect(await messagesByClass(ip)).toMatchObject({ forwarded: 7, needs_review: 0 });
    expect(await forwarded()).toBe(before + 7);
    expect(await ledger.drift()).toBe(0);
  });

  it('may be a score that rises, and then the source is counted among the malicious', async () => {
    const ip = '45.0.3.1';
    world.score(ip, 3);
    await given([{ ip, count: 2 }]);
    const counts = async () =>
      (
        await ledger.database.pool.query(
          'select abuse_status, sources from source_standing_count where sources > 0 order by 1',
        )
      ).rows;
    expect(await counts()).toContainEqual({ abuse_status: 'clean', sources: 1 });
    world.score(ip, 90);
    expect(await lookAgain('abuse', ip)).toBe(1);
    expect(await messagesByClass(ip)).toMatchObject({ suspicious: 2 });
    expect(await counts()).toContainEqual({ abuse_status: 'malicious', sources: 1 });
    expect((await counts()).map(({ abuse_status }) => abuse_status)).not.toContain('clean');
  });

  it('may be another service that newer mail shows', async () => {
    const ip = '45.0.4.1';
    const mailOf = (spfDomain: string, count: number) => [{ ip, count, spf: 'pass' as const, spfDomain }];
    const service = async () =>
      (await ledger.database.pool.query('select service_slug from source_standing where source_ip = $1', [ip])).rows[0];
    await given([{ ip, count: 1 }]);
    expect(await service()).toEqual({ service_slug: null });
    await given(mailOf('bounce.em.sendgrid.net', 10));
    expect(await service()).toEqual({ service_slug: 'sendgrid' });
    const judged = await ledger.judgements(ip);
    await given(mailOf('bounce.em.sendgrid.net', 10));
    expect(await ledger.judgements(ip)).toBe(judged);
    await given(mailOf('mail.mcsv.net', 100));
    expect(await service()).toEqual({ service_slug: 'mailchimp' });
  });
});

describe('an address that two organizations hear of', () => {
  it('is to each what its own mail shows, and neither sees anything of the other', async () => {
    const ip = '45.0.5.1';
    const { id: otherId } = await createOrganization(ledger.database.db, { name: 'Other' });
    const other = { database: ledger.database, blobs: ledger.blobs, orgId: otherId };
    const asked = world.reputation.seen.length;
    await given([{ ip, count: 10, spf: 'pass', spfDomain: 'bounce.em.sendgrid.net' }]);
    await receive(other, report([{ ip, count: 3, spf: 'pass', spfDomain: 'mail.mcsv.net' }]));
    await settled(other);
    await ledger.lookUp();
    expect(world.reputation.seen.length - asked).toBe(1);
    await using api = await serveTwo([ledger.orgId, otherId]);
    const [mine, theirs] = await api.get(`/sources/${ip}`);
    expect(mine).toMatchObject({
      total_messages: 10,
      service_slug: 'sendgrid',
      enrichment: { sender_slug: 'sendgrid' },
    });
    expect(theirs).toMatchObject({
      total_messages: 3,
      service_slug: 'mailchimp',
      enrichment: { sender_slug: 'mailchimp' },
    });
    const [own, foreign] = await api.get('/sources?search=mailchimp');
    expect(foreign.sources.map(({ source_ip }: { source_ip: string }) => source_ip)).toEqual([ip]);
    expect(own.sources.map(({ source_ip }: { source_ip: string }) => source_ip)).not.toContain(ip);
    const [, unheard] = await api.get('/sources/45.0.0.1');
    expect(unheard).toMatchObject({ error: 'Source Not Found' });
  });
});

/** The API for two organizations; answers come in the order of their ids. */
async function serveTwo(orgIds: string[]) {
  const { db, reads } = ledger.database;
  const api = makeApi({ db, reads, now: () => new Date('2026-01-10T00:00:00Z') });
  const url = await api.listen({ host: '127.0.0.1', port: 0 });
  const keys = await Promise.all(orgIds.map((orgId) => createKey(db, orgId, { scope: 'read' })));
  return {
    // oxlint-disable-next-line typescript/no-explicit-any -- what a client gets has no type
    get: (path: string): Promise<any[]> =>
      Promise.all(
        keys.map(async ({ key }) =>
          (await fetch(`${url}/v1${path}`, { headers: { authorization: `Bearer ${key}` } })).json(),
        ),
      ),
    [Symbol.asyncDispose]: () => api.close(),
  };
}
