import type { Db } from '@dmarc-ledger/schema';
import { isForged, loudDay, wavesOf, type LoudDay, type Wave } from '@dmarc-ledger/scoring';
import type { Day, DayRange } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';

/** Days on which suspicious addresses sent much more failing mail as a domain than is usual for it. */
export interface ForgedMail {
  domain: string;
  from: Day;
  to: Day;
  /** Suspicious messages. */
  messages: number;
  addresses: number;
  /** Where they came from, most messages first. */
  networks: { isp: string; country: string; messages: number; addresses: number }[];
}

const MOST_DAYS = 200;
const MOST_NETWORKS = 8;

/** Returns the waves of forged mail in a range of days, newest first. */
export async function findForgedMail(db: Db, orgId: string, range: DayRange, domainId?: string): Promise<ForgedMail[]> {
  const waves = wavesOf(await findLoudDays(db, orgId, range, domainId));
  if (waves.length === 0) return [];
  const [networks, addresses] = await Promise.all([findNetworks(db, orgId, waves), countAddresses(db, orgId, waves)]);
  return waves
    .map(({ domain, from, to, failing }, index) => {
      const own = networks.filter(({ wave }) => wave === index + 1);
      const sums = addresses.find(({ wave }) => wave === index + 1) ?? { messages: 0, addresses: 0 };
      return { domain, from, to, failing, messages: sums.messages, addresses: sums.addresses, networks: own };
    })
    .filter((wave) => isForged(wave, wave.messages))
    .map(({ networks: own, domain, from, to, messages, addresses: count }) => ({
      domain,
      from,
      to,
      messages,
      addresses: count,
      networks: own.slice(0, MOST_NETWORKS),
    }))
    .toSorted((a, b) => (a.to < b.to ? 1 : -1));
}

async function findLoudDays(db: Db, orgId: string, { from, to }: DayRange, domainId?: string): Promise<LoudDay[]> {
  const ofDomain = domainId === undefined ? sql`true` : sql`domain_id = ${domainId}`;
  const { rows } = await sql<LoudDay>`
    with days as (
      select domain_id, day, messages - compliant - forwarded as failing from domain_day
      where org_id = ${orgId} and day between ${from}::date and ${to}::date and ${ofDomain}
    ), usual as (
      select domain_id, percentile_disc(0.5) within group (order by failing) as failing from days group by domain_id
    )
    select d.domain_id as "domainId", n.name as domain, d.day::text as day, d.failing
    from days d join usual u using (domain_id) join domain n on n.org_id = ${orgId} and n.id = d.domain_id
    where d.failing >= ${loudDay.messages} and d.failing >= ${loudDay.factor} * u.failing
    order by d.domain_id, d.day limit ${MOST_DAYS}`.execute(db);
  return rows;
}

/**
 * The suspicious mail of the waves by address. That of an address whose sums wait for their repair is left out: it may
 * be of a report that is gone, which its day no longer has.
 */
function suspiciousOf(orgId: string, waves: readonly Wave[]) {
  return sql`
    select w.wave, s.source_ip, s.suspicious as messages
    from unnest(${waves.map((wave) => wave.domainId)}::uuid[], ${waves.map(({ from }) => from)}::date[],
        ${waves.map(({ to }) => to)}::date[]) with ordinality as w (domain_id, first, last, wave)
      join source_domain_day s on s.org_id = ${orgId} and s.domain_id = w.domain_id
        and s.day between w.first and w.last and s.suspicious > 0
    where (select true from rollup_dirty r where r.org_id = ${orgId} and r.source_ip = s.source_ip and r.day = s.day
      and r.domain_id = s.domain_id limit 1) is null`;
}

async function countAddresses(db: Db, orgId: string, waves: readonly Wave[]) {
  const { rows } = await sql<{ wave: number; messages: number; addresses: number }>`
    select wave, sum(messages)::bigint as messages, count(distinct source_ip) as addresses
    from (${suspiciousOf(orgId, waves)}) s group by wave`.execute(db);
  return rows;
}

async function findNetworks(db: Db, orgId: string, waves: readonly Wave[]) {
  const { rows } = await sql<ForgedMail['networks'][number] & { wave: number }>`
    select s.wave, coalesce(e.isp, '') as isp, coalesce(e.country, '') as country,
      sum(s.messages)::bigint as messages, count(distinct s.source_ip) as addresses
    from (${suspiciousOf(orgId, waves)}) s left join ip_enrichment e on e.address = s.source_ip
    group by 1, 2, 3 order by 1, 4 desc, 2, 3`.execute(db);
  return rows;
}
