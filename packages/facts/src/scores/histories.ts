import type { PolicyPublished } from '@dmarc-ledger/dmarc';
import type { Db } from '@dmarc-ledger/schema';
import type { DomainHistory } from '@dmarc-ledger/scoring';
import { present, startOfDay, type Day, type DayRange } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';
import { publishedPolicy } from '../domains/domain-facts.ts';

const WINDOW_DAYS = 30;
const DOMAINS_AT_ONCE = 200;

/**
 * Yields the data for an organization's scores on the days from `from` to `to`, domain by domain: the days with reports
 * from the window of the first day on, and the policy of the newest report on each day.
 */
export async function* findHistories(db: Db, orgId: string, from: Day, to: Day): AsyncGenerator<DomainHistory> {
  for (let after: string | undefined; ;) {
    const domains = await db
      .selectFrom('domain_total')
      .select('domain_id')
      .where('org_id', '=', orgId)
      .where('reports', '>', 0)
      .$if(after !== undefined, (query) => query.where('domain_id', '>', after!))
      .orderBy('domain_id')
      .limit(DOMAINS_AT_ONCE)
      .execute();
    const ids = domains.map(({ domain_id }) => domain_id);
    if (ids.length === 0) return;
    const histories = new Map(
      ids.map((id) => [id, { days: new Array<HistoryDay>(), policies: new Array<HistoryPolicy>() }]),
    );
    for (const { id, ...day } of await findDays(db, orgId, ids, { from, to }))
      present(histories.get(id)).days.push(day);
    for (const { domainId, policy, ...report } of await findPolicies(db, orgId, ids, { from, to })) {
      present(histories.get(domainId)).policies.push({ ...report, policy: publishedPolicy(policy) });
    }
    yield* histories.values();
    after = ids.at(-1);
  }
}

type HistoryDay = DomainHistory['days'][number];
type HistoryPolicy = DomainHistory['policies'][number];

/** Returns the first report day of an organization, if it is not after this one. */
export async function findFirstDay(db: Db, orgId: string, to: Day): Promise<Day | undefined> {
  const row = await db
    .selectFrom('org_day')
    .select('day')
    .where('org_id', '=', orgId)
    .where('reports', '>', 0)
    .where('day', '<=', to)
    .orderBy('day')
    .limit(1)
    .executeTakeFirst();
  return row?.day;
}

/**
 * Returns the days of the windows. A bound of the index, under row-level security, must be leakproof, which neither
 * subtraction nor `coalesce` is: so a window's begin is computed apart from the comparison. (`offset 0` keeps it apart,
 * and has each window read by its key, also where an organization has most rows of the table.)
 */
async function findDays(db: Db, orgId: string, ids: string[], { from, to }: DayRange) {
  const { rows } = await sql<HistoryDay & { id: string }>`
    select k.id, x.day::text as day, x.messages, x.compliant, x.spf_pass as "spfPass", x.dkim_pass as "dkimPass"
    from unnest(${ids}::uuid[]) as k (id)
      cross join lateral (
        select coalesce((
          select day from domain_day a
          where a.org_id = ${orgId} and a.domain_id = k.id and a.day <= ${from} and a.reports > 0
          order by day desc limit 1), ${from}::date) - ${WINDOW_DAYS}::integer as before
        offset 0) window_of
      cross join lateral (
        select day, messages, compliant, spf_pass, dkim_pass from domain_day
        where org_id = ${orgId} and domain_id = k.id and reports > 0 and day <= ${to}
          and day > window_of.before
        offset 0) x
    order by k.id, x.day`.execute(db);
  return rows;
}

/**
 * Returns the policy of the newest report on each day, and of the newest before the first. A report of a day ends on
 * that day or later, so reports that end earlier are skipped: by an instant, as a comparison with a date is no bound of
 * an index under row-level security (its operator is not leakproof). A report without an end is the oldest.
 */
async function findPolicies(db: Db, orgId: string, ids: string[], { from, to }: DayRange) {
  const start = new Date(startOfDay(from) * 1_000);
  const { rows } = await sql<{ domainId: string; day: Day; end: number | null; id: string; policy: PolicyPublished }>`
    select k.id as "domainId", p.day::text as day, extract(epoch from p.date_end)::float8 as end, p.id, p.policy
    from unnest(${ids}::uuid[]) as k (id) cross join lateral (
      select * from (
        (select day, date_end, id, policy from report r where r.org_id = ${orgId} and r.domain_id = k.id
          and r.day < ${from} and date_end is not null order by date_end desc, r.id desc limit 1)
        union all
        (select day, date_end, id, policy from report r where r.org_id = ${orgId} and r.domain_id = k.id
          and r.day < ${from} and date_end is null order by r.id desc limit 1)
        limit 1) before
      union all
      select * from (
        select distinct on (day) day, date_end, id, policy from (
          select day, date_end, id, policy from report r where r.org_id = ${orgId} and r.domain_id = k.id
            and r.date_end >= ${start}
          union all
          select day, date_end, id, policy from report r where r.org_id = ${orgId} and r.domain_id = k.id
            and r.date_end is null
        ) r where day between ${from} and ${to} order by day, date_end desc nulls last, id desc) within_range
    ) p
    order by k.id, p.day`.execute(db);
  return rows;
}
