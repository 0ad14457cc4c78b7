import { createOrganization } from '@dmarc-ledger/ledger';
import { findSources } from '@dmarc-ledger/queries';
import { type Database, openDatabase } from '@dmarc-ledger/schema';
import { openLab } from './lab.ts';
import { SOURCE_SORTS } from './requests.ts';

const SOURCES = 200_000;
const ROUNDS = 5;

type Filter = Parameters<typeof findSources>[2];
const filters: { [name: string]: Filter } = {
  none: {},
  has_failures: { hasFailures: true },
  'reputation clean (120,000)': { reputation: 'clean' },
  'reputation unknown (60,000)': { reputation: 'unknown' },
  'reputation suspicious (16,000)': { reputation: 'suspicious' },
  'reputation malicious (4,000)': { reputation: 'malicious' },
  'clean with failures': { reputation: 'clean', hasFailures: true },
  'suspicious with failures': { reputation: 'suspicious', hasFailures: true },
  'malicious with failures': { reputation: 'malicious', hasFailures: true },
  'search: service of 60,000': { search: 'big service', services: ['s0'] },
  'search: service of 2,000': { search: 'small service', services: ['s7'] },
  'search: service, failing': { search: 'big service', services: ['s0'], hasFailures: true },
  'search: service, malicious': { search: 'big service', services: ['s0'], reputation: 'malicious' },
  'search: service, clean': { search: 'big service', services: ['s0'], reputation: 'clean' },
  'search: part of an address': { search: '10.1.77' },
  'domain d0': { domain: 'd0.example' },
  'domain d0, suspicious': { domain: 'd0.example', reputation: 'suspicious' },
};

/** An organization of 200,000 sources with their standings, written by the database itself. */
async function given({ pool, db }: Database): Promise<string> {
  const { id } = await createOrganization(db, { name: 'Many sources' });
  const run = (text: string) => pool.query({ text, values: [id] });
  await pool.query('set statement_timeout = 0');
  await run(`insert into domain (org_id, id, name, source)
    select $1, md5('d' || n)::uuid, 'd' || n || '.example', 'auto' from generate_series(0, 39) n`);
  const h = (seed: number) => `(abs(hashint8(n * 31 + ${seed})) % 10000)`;
  await run(`insert into source_total (org_id, source_ip, domains, reports, messages, compliant, spf_pass, dkim_pass,
      auth_failures, compliance, needs_review, first_seen, last_seen)
    select $1, ip, 1 + n % 3, 1 + n % 7, messages, ok, spf, ok, 2 * messages - spf - ok,
      compliance_of(ok, messages), messages - ok,
      nullif(date '2025-01-01' + (${h(4)} % 365), '2025-06-06'), date '2026-01-01' + (${h(5)} % 100)
    from (select *, case when ${h(2)} < 5000 then messages else messages * (${h(3)} % 100) / 100 end as ok,
        case when ${h(6)} < 6000 then messages else 0 end as spf
      from (select n::bigint, '10.0.0.0'::inet + n as ip, (1 + 40000 / (1 + ${h(1)}))::bigint as messages
        from generate_series(0, ${SOURCES - 1}) n) a) b`);
  await run('insert into source_address select $1, source_ip from source_total where org_id = $1');
  await run(`insert into source_domain (org_id, source_ip, domain_id, reports, messages, compliant, spf_pass,
    dkim_pass, needs_review, first_seen, last_seen)
    select $1, source_ip, md5('d' || d)::uuid, reports, messages, compliant, spf_pass, dkim_pass, needs_review,
      first_seen, last_seen
    from source_total t, lateral (select case when messages % 2 = 0 then 0 else abs(hashtext(host(source_ip))) % 40
      end as d) d where org_id = $1`);
  await run(`insert into domain_total (org_id, domain_id, reports, messages, compliant, spf_pass, dkim_pass,
    sources, failing_sources)
    select $1, domain_id, 10, sum(messages), sum(compliant), sum(spf_pass), sum(dkim_pass), count(*),
      count(*) filter (where 2 * messages - spf_pass - dkim_pass > 0) from source_domain where org_id = $1
        group by domain_id`);
  await run(`insert into org_total (org_id, reports, messages, compliant, spf_pass, dkim_pass, domains, sources,
    failing_sources, sources_indexed)
    select $1, 1000, sum(messages), sum(compliant), sum(spf_pass), sum(dkim_pass), 40, count(*),
      count(*) filter (where auth_failures > 0), true
    from source_total where org_id = $1`);
  await run(`insert into source_standing (org_id, source_ip, service_slug, abuse_status, facts_version, settled)
    select $1, '10.0.0.0'::inet + n, case when ${h(7)} < 3000 then 's0' when ${h(7)} < 4000
      then 's' || (1 + ${h(7)} % 10) end,
      case when ${h(8)} < 6000 then 'clean' when ${h(8)} < 9000 then 'unknown' when ${h(8)} < 9800 then 'suspicious'
        else 'malicious' end, 1, true
    from generate_series(0, ${SOURCES - 1}) n`);
  await run(
    `insert into source_standing_count select $1, abuse_status, count(*) from source_standing where org_id = $1
      group by 2`,
  );
  await run(`insert into ip_enrichment (address, ptr_state, hostname, country_code, abuse_score, enriched_at, version)
    select '10.0.0.0'::inet + n, 'confirmed', 'h' || n || '.test', 'DE', 0, now(), 1
      from generate_series(0, ${SOURCES - 1}) n where $1::uuid is not null`);
  await run(`update source_total t set abuse_status = s.abuse_status, service_slug = s.service_slug
    from source_standing s where t.org_id = $1 and s.org_id = $1 and s.source_ip = t.source_ip`);
  await pool.query('vacuum full source_total');
  await pool.query('vacuum analyze');
  return id;
}

const at = <Item>(sorted: Item[], share: number) =>
  sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)]!;

const lab = await openLab();
try {
  const database = openDatabase(await lab.createDatabase(true), { statementTimeoutMs: 0 });
  const orgId = await given(database);
  console.log(
    'filter                            total   first pages p50, p99 ms   a deep page p50 ms   slowest first page',
  );
  for (const [name, filter] of Object.entries(filters)) {
    const [first, deep]: [number, string][][] = [[], []];
    let total = 0;
    for (let round = 0; round < ROUNDS; round += 1)
      for (const sortBy of SOURCE_SORTS)
        for (const direction of ['asc', 'desc'] as const) {
          const isDeep = round === 1;
          const offset = isDeep ? total >> 1 : round * 25;
          const begin = performance.now();
          const found = await findSources(database.db, orgId, filter, { sortBy, direction, limit: 50, offset });
          total = found.total;
          if (round > 0) (isDeep ? deep : first)!.push([performance.now() - begin, `${sortBy} ${direction}`]);
        }
    const inOrder = (times: [number, string][]) => times.toSorted(([a], [b]) => a - b);
    const [ofFirst, ofDeep] = [inOrder(first!), inOrder(deep!)];
    const cell = (times: [number, string][], share: number) => at(times, share)[0].toFixed(1).padStart(8);
    const cells = [cell(ofFirst, 0.5), cell(ofFirst, 0.99), cell(ofDeep, 0.5)].join(' ');
    console.log(`${name.padEnd(32)} ${String(total).padStart(6)} ${cells}   ${ofFirst.at(-1)![1]}`);
  }
  await database.close();
} finally {
  await lab.close();
}
