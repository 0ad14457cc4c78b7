import { filledDatabase, type FilledDatabase, type WatchedReads, watchReadsOf } from '@dmarc-ledger/testkit';
import { findSourceKnowledge } from '@dmarc-ledger/facts';
import { findSources } from '@dmarc-ledger/queries';
import type { Db } from '@dmarc-ledger/schema';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let database: FilledDatabase;
let db: Db;
let orgId: string;
let readWhole: WatchedReads['readWhole'];
let watched: ReturnType<typeof watchReadsOf>;

beforeAll(async () => {
  database = await filledDatabase();
  ({ orgId } = database);
  await database.pool.query(`update domain set name = 'd19.test' where org_id = $1 and name = 'd19.example'`, [orgId]);
  await giveStandings();
  watched = watchReadsOf(database, orgId);
  ({ db, readWhole } = watched);
});
afterAll(async () => {
  await watched[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

/** Most sources are clean or unknown, a few malicious; a busy service, and a rare one. */
async function giveStandings(): Promise<void> {
  await database.pool.query(`
    insert into source_standing (org_id, source_ip, service_slug, abuse_status, facts_version, settled)
    select org_id, source_ip, case when n % 2 = 0 then 'busy' when n % 50 = 1 then 'rare' end,
      case when n % 40 = 0 then 'malicious' when n % 40 = 1 then 'suspicious' when n % 10 < 7 then 'clean' else 'unknown' end, 1, true
    from (select *, abs(hashtext(host(source_ip))) as n from source_total) t;
    insert into source_standing_count select org_id, abuse_status, count(*) from source_standing group by 1, 2;
    update source_total t set abuse_status = s.abuse_status, service_slug = s.service_slug
      from source_standing s where s.org_id = t.org_id and s.source_ip = t.source_ip;
    insert into ip_enrichment (address, enriched_at, version) select distinct source_ip, now(), 1 from source_total`);
  await database.pool.query('vacuum analyze');
}

const sorts = [
  'total_messages',
  'source_ip',
  'first_seen',
  'last_seen',
  'compliance',
  'auth_failures',
  'domains',
] as const;

describe('no query reads a large table whole', () => {
  describe.each([
    { reputation: 'clean' },
    { reputation: 'malicious' },
    { reputation: 'clean', hasFailures: true },
    { reputation: 'malicious', hasFailures: true },
    { search: 'busy', services: ['busy'] },
    { search: 'rare', services: ['rare'] },
    { search: 'busy', services: ['busy'], hasFailures: true },
    { search: 'busy', services: ['busy'], reputation: 'clean' },
    { search: '10.0.1', services: ['rare'] },
    { search: '1.' },
    { domain: 'd0.example', reputation: 'clean' },
    { domain: 'd0.example', reputation: 'malicious' },
    { domain: 'd0.example', search: 'busy', services: ['busy'] },
  ] as const)('sources with %j', (filter) => {
    it.each(sorts)('by %s', async (sortBy) => {
      for (const direction of ['asc', 'desc'] as const)
        for (const offset of [0, 500])
          expect(
            await readWhole(() => findSources(db, orgId, filter, { sortBy, direction, limit: 50, offset })),
          ).toEqual([]);
    });
  });

  it('what is known of a page of sources', async () => {
    const { rows } = await findSources(
      db,
      orgId,
      {},
      { sortBy: 'total_messages', direction: 'desc', limit: 50, offset: 0 },
    );
    const addresses = rows.map(({ address }) => address);
    expect(await readWhole(() => findSourceKnowledge(db, orgId, addresses))).toEqual([]);
  });
});

/** Part of most addresses, and of the names of two domains. */
const BROAD = `(host(source_ip) like '%1.%' or source_ip in (select source_ip from source_domain
  join domain d on d.id = domain_id where d.org_id = $1 and name like '%1.%'))`;

const SENT_AS_D1 = `source_ip in (select source_ip from source_domain
  join domain d on d.id = domain_id where d.org_id = $1 and name like '%d1%')`;

describe('a filter by standing', () => {
  it.each([
    [{ reputation: 'clean' }, `abuse_status = 'clean'`],
    [{ reputation: 'malicious' }, `abuse_status = 'malicious'`],
    [{ reputation: 'clean', hasFailures: true }, `abuse_status = 'clean' and auth_failures > 0`],
    [{ search: 'busy', services: ['busy'] }, `service_slug = 'busy'`],
    [
      { search: 'busy', services: ['busy'], reputation: 'malicious' },
      `service_slug = 'busy' and abuse_status = 'malicious'`,
    ],
    [
      { search: 'd1.', services: ['rare'] },
      `(service_slug = 'rare' or source_ip in (select source_ip from source_domain
      join domain d on d.id = domain_id where d.org_id = $1 and name like '%d1.%'))`,
    ],
    [{ search: '1.' }, BROAD],
    [{ search: '10.0' }, `host(source_ip) like '%10.0%'`],
    [{ search: 'd1' }, SENT_AS_D1],
    [{ search: 'd1.' }, SENT_AS_D1.replace('%d1%', '%d1.%')],
    [{ search: '.example' }, SENT_AS_D1.replace('%d1%', '%.example')],
    [{ search: '1.', hasFailures: true }, `${BROAD} and auth_failures > 0`],
    [{ search: '1.', reputation: 'clean' }, `${BROAD} and abuse_status = 'clean'`],
  ] as const)('counts exactly what it finds, and sorts it: %j', async (filter, condition) => {
    const { rows: expected } = await database.pool.query<{ ip: string }>(
      `select host(source_ip) as ip from source_total where org_id = $1 and ${condition} order by messages desc, source_ip`,
      [orgId],
    );
    const found: string[] = [];
    for (let total = 1; found.length < total;) {
      const page = { sortBy: 'total_messages', direction: 'desc', limit: 2_000, offset: found.length } as const;
      const slice = await findSources(db, orgId, filter, page);
      expect(slice.total).toBe(expected.length);
      total = slice.total;
      found.push(...slice.rows.map(({ address }) => address));
    }
    expect(found).toEqual(expected.map(({ ip }) => ip));
  });
});
