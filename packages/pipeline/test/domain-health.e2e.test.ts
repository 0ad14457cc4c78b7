import { addDomain, createKey, createOrganization, raiseEvents } from '@dmarc-ledger/ledger';
import { transact } from '@dmarc-ledger/schema';
import { holding } from '@dmarc-ledger/scoring';
import { reportXml } from '@dmarc-ledger/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { healthBodies } from './domains/health-bodies.ts';
import { healthDomains } from './domains/health-domains.ts';
import { NOW, openHealthFixture, schemaOf, type HealthFixture } from './domains/health-fixture.ts';
import { placementJson } from './other-reports.ts';

let fixture: HealthFixture;

const at = (day: string) => Date.parse(`${day}T00:00:00Z`) / 1_000;
const report = (domain: string, day: string, ...records: [ip: string, count: number, spf: boolean, dkim: boolean][]) =>
  reportXml({
    domain,
    id: `${domain}-${day}`,
    begin: at(day),
    records: records.map(([ip, count, spf, dkim]) => ({
      ip,
      count,
      spf: spf ? ('pass' as const) : ('fail' as const),
      dkim: dkim ? ('pass' as const) : ('fail' as const),
    })),
  });
const placement = (day: string, header: object, row: { [name: string]: unknown }) =>
  placementJson({ report_start: at(day), report_end: at(day) + 86_399, ...header }, row);

const own = { dkim_domain: 'Good.com', dkim_selector: 's1' };

beforeAll(async () => {
  fixture = await openHealthFixture(healthDomains);
  const { ledger } = fixture;
  await fixture.monitor(healthDomains.filter(({ domain }) => domain !== 'corp.local'));
  await ledger.handIn(
    report('good.com', '2026-03-08', ['198.51.100.1', 90, true, true]),
    report('good.com', '2026-03-09', ['198.51.100.2', 10, false, true]),
    report('unsure.com', '2026-03-10', ['198.51.100.1', 10, true, true]),
    report('low.com', '2026-03-09', ['198.51.100.3', 50, false, false], ['198.51.100.2', 50, true, true]),
    report('late.com', '2026-02-10', ['198.51.100.2', 20, true, true]),
    report('corp.local', '2026-03-09', ['198.51.100.4', 5, false, false]),
    placement('2026-03-08', own, { classification: { inbox: 9 } }), // Blue Harbor has sent a newer one
    placement('2026-03-10', own, { segment: 'one', classification: { unwanted: 4 } }),
    placement('2026-03-10', { dkim_domain: '*.good.com' }, { classification: { spam: 3, inbox: 2 } }),
    placement('2026-03-10', { dkim_domain: 'mail.other.com' }, { classification: { inbox: 1 } }),
    placement(
      '2026-03-04',
      { ...own, source: 'Aqua Post' },
      { segment: ['retail', 'weekly'], classification: { inbox: 1 } },
    ),
    placement('2026-03-03', { ...own, source: 'Clear Mail' }, { classification: { inbox: 1 } }), // more than a week ago
  );
  await ledger.settled();
  await ledger.database.pool.query(
    `update ip_enrichment set hostname = 'mail-a1.google.com', ptr_state = 'confirmed', enriched_at = now() where address = '198.51.100.1'`,
  );
  await ledger.database.pool.query(`delete from source_standing where source_ip = '198.51.100.1'`); // not judged by that yet
  const campaign = holding('spoofing_campaign', { domain: 'twice.com', message: 'Somebody else sends as twice.com.' });
  await transact(ledger.database, (session) => raiseEvents(session, ledger.orgId, [campaign]));
  await fixture.check();
  await addDomain(ledger.database.db, ledger.orgId, 'new.com', {});
  await fixture.compute();
});
afterAll(() => fixture?.[Symbol.asyncDispose]());

describe('GET /domains/{domain}/health', () => {
  const validate = schemaOf('/domains/{domain}/health');
  it.each(healthBodies)('of %s is all that is known of it', async (domain, expected) => {
    const { status, body } = await fixture.get(`/domains/${domain}/health`);
    expect({ status, body }).toEqual({ status: 200, body: expected });
    validate(body);
    expect(validate.errors).toBeNull();
  });

  it('is as it was computed for an hour, then computed anew', async () => {
    const { pool } = fixture.ledger.database;
    const age = (minutes: number) =>
      pool.query(
        `update domain_health set computed_at = $1::timestamptz - make_interval(mins => $2),
           body = jsonb_set(body, '{health,verdict}', '"As it was."')`,
        [NOW, minutes],
      );
    await pool.query(`update domain set health_planned = false, health_due_at = now() + interval '1 day'`);
    const shown = async () => {
      const { verdict, computed_at } = (await fixture.get('/domains/low.com/health')).body;
      return [verdict, computed_at];
    };
    await age(59);
    expect(await shown()).toEqual(['As it was.', '2026-03-10T11:01:00Z']);
    await age(61);
    expect(await shown()).toEqual(['50% of mail fails DMARC.', '2026-03-10T12:00:00Z']);
    await fixture.compute();
    expect(await shown()).toEqual(['50% of mail fails DMARC.', '2026-03-10T12:00:00Z']);
  });

  it('is computed anew as soon as something of it has changed', async () => {
    const { pool } = fixture.ledger.database;
    await pool.query(`update domain_health set body = jsonb_set(body, '{health,verdict}', '"As it was."')`);
    const verdict = async () => (await fixture.get('/domains/low.com/health')).body.verdict;
    await pool.query(`update domain set health_planned = false, health_due_at = now() + interval '1 day'`);
    expect(await verdict()).toBe('As it was.');
    await pool.query(`update domain set health_due_at = now() + interval '20 seconds'`); // as a report leaves it
    expect(await verdict()).toBe('50% of mail fails DMARC.');
    await fixture.compute();
  });

  it.each(['twice.com', 'low.com', 'new.com'])(
    'shows the links of %s that an earlier version stored',
    async (domain) => {
      const { pool } = fixture.ledger.database;
      await pool.query(`update domain set health_planned = false, health_due_at = now() + interval '1 day'`);
      const { body: shown } = await fixture.get(`/domains/${domain}/health`);
      const { rows } = await pool.query(
        `select body->'health' as health from domain_health join domain d on d.id = domain_id where d.name = $1`,
        [domain],
      );
      const { protocols, ...health } = rows[0].health;
      const offered = Object.entries<{ hostedCta?: object }>(protocols).map(([protocol, { hostedCta, ...rest }]) => [
        protocol,
        { ...rest, ...(hostedCta && { hostedCta: shown.dns[protocol].hosted_cta }) },
      ]);
      const earlier = {
        protocols: Object.fromEntries(offered),
        items: shown.action_items,
        emptyState: shown.empty_state,
      };
      await pool.query(
        `update domain_health h set body = jsonb_set(body, '{health}', $2::jsonb) from domain d
       where d.id = domain_id and d.name = $1`,
        [domain, { ...health, ...earlier }],
      );
      expect((await fixture.get(`/domains/${domain}/health`)).body).toEqual(shown);
      await fixture.compute();
    },
  );

  it('takes a name in any spelling', async () => {
    expect((await fixture.get('/domains/GOOD.com./health')).body.domain).toBe('good.com');
  });

  it.each([
    ['nonsense', 400, 'Invalid Domain Name'],
    ['192.0.2.1', 400, 'Invalid Domain Name'],
    ['_dmarc.good.com', 400, 'Invalid Domain Name'],
    ['unknown.com', 404, 'Domain Not Found'],
  ])('of %s is %i', async (domain, status, error) => {
    expect(await fixture.get(`/domains/${domain}/health`)).toMatchObject({ status, body: { error } });
  });

  it('of another organization’s domain is as if there were none', async () => {
    const { db } = fixture.ledger.database;
    const { id } = await createOrganization(db, { name: 'Other' });
    const { key } = await createKey(db, id, { scope: 'read' });
    const [foreign, missing] = [
      await fixture.get('/domains/good.com/health', key),
      await fixture.get('/domains/none.com/health', key),
    ];
    expect(foreign).toEqual(missing);
    expect(foreign.status).toBe(404);
    expect((await fixture.get('/domains', key)).body).toEqual({ domains: [], total: 0, limit: 50, offset: 0 });
  });

  it('shows where mail was placed as soon as the report about it has arrived, as the DKIM keys do', async () => {
    const { pool } = fixture.ledger.database;
    await pool.query(`update domain set health_planned = false, health_due_at = now() + interval '1 day'`);
    const shown = async () => {
      const { body: health } = await fixture.get('/domains/good.com/health');
      const { body: dkim } = await fixture.get('/ext/v1/domains/good.com/dkim-keys');
      const ofKey = dkim.keys.find(({ selector }: { selector: string }) => selector === 's1').placement;
      return [health.aprf_placement, ofKey].map((rows) =>
        rows.some(({ source }: { source: string }) => source === 'Dawn Mail'),
      );
    };
    expect(await shown()).toEqual([false, false]);
    const header = { ...own, source: 'Dawn Mail' };
    await fixture.ledger.handIn(placement('2026-03-10', header, { classification: { inbox: 7 } }));
    await fixture.ledger.settled();
    expect(await shown()).toEqual([true, true]);
  });
});

describe('GET /domains', () => {
  const validate = schemaOf('/domains');
  const states = new Map(healthDomains.map(({ domain, states: each }) => [domain, each]));
  const names = [...states.keys(), 'new.com'].toSorted();

  it('lists every monitored domain with its state', async () => {
    const { body } = await fixture.get('/domains');
    validate(body);
    expect(validate.errors).toBeNull();
    expect(body.domains.every(({ id }: { id: string }) => /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(id))).toBe(true);
    for (const row of body.domains) delete row.id;
    expect(body).toEqual({ domains: names.map(rowOf), total: 13, limit: 50, offset: 0 });
  });

  it('page by page', async () => {
    const { body } = await fixture.get('/domains?limit=2&offset=3');
    expect(body.domains.map(({ domain }: { domain: string }) => domain)).toEqual(names.slice(3, 5));
    expect(body).toMatchObject({ total: 13, limit: 2, offset: 3 });
  });

  const reports: { [domain: string]: number } = {
    'good.com': 2,
    'unsure.com': 1,
    'low.com': 1,
    'late.com': 1,
    'corp.local': 1,
  };
  const verifiedSince = { verified_at: '2026-03-10T12:00:00Z' };

  function rowOf(domain: string): object {
    const [dmarc, forensic, tls, aprf] = states.get(domain) ?? ['pending', 'pending', 'pending', 'pending'];
    const isVerified = dmarc === 'verified' || dmarc === 'verified_inherited';
    return {
      domain,
      verified: isVerified,
      dmarc_state: dmarc,
      tlsrpt_enabled: false,
      tlsrpt_state: tls,
      forensic_enabled: false,
      forensic_state: forensic,
      aprf_enabled: false,
      aprf_state: aprf,
      source: domain === 'corp.local' ? 'auto' : reports[domain] ? 'both' : 'manual',
      verified_source: isVerified ? (domain === 'mail.good.com' ? 'inherited' : 'self') : '',
      ...(domain === 'mail.good.com' && { inherited_from: 'good.com' }),
      report_count: reports[domain] ?? 0,
      ...(isVerified && verifiedSince),
    };
  }
});
