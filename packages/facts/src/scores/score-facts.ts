import type { PolicyPublished } from '@dmarc-ledger/dmarc';
import type { AppliedPolicy, Db } from '@dmarc-ledger/schema';
import { spfRecordsOf, type MessageSums, type SpfFinding } from '@dmarc-ledger/scoring';
import type { Day, EffectivePolicy } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';
import { publishedPolicy } from '../domains/domain-facts.ts';
import { newestPolicy } from '../domains/newest-policy.ts';

/** The facts that decide a domain's score: the 30 days up to its newest report day. (rules, scores/scoring-window) */
export interface ScoreFacts extends MessageSums {
  id: string;
  domain: string;
  newestDay: Day;
  reports: number;
  /** Days of the window with reports. */
  reportDays: number;
  /** Failing messages that were forwarded. */
  forwarded: number;
  /** The policy recently read from the DNS, else the one in the newest report up to today. */
  policy: EffectivePolicy | undefined;
  /** True if the policy was read from the DNS. */
  hasValidRecord: boolean;
  /** The SPF records that were read last; undefined if none could be read within a week. */
  spf: readonly string[] | undefined;
  /** The parent whose record applies, if the DNS said so: as the policy, by the last check with an answer. */
  inheritedFrom: string | null;
}

const WINDOW_DAYS = 30;

/** Returns the facts of every domain with reports, or of one, by name. */
export async function findScoreFacts(db: Db, orgId: string, today: Day, domainId?: string): Promise<ScoreFacts[]> {
  const newest = newestPolicy({ orgId: sql.ref('d.org_id'), domainId: sql.ref('d.id') }, today);
  const { rows } = await sql<
    Omit<ScoreFacts, 'policy' | 'hasValidRecord' | 'spf'> & {
      read: AppliedPolicy | null;
      reported: PolicyPublished | null;
      spfCheck: SpfFinding | null;
    }
  >`
    select d.id, d.name as domain, n.day::text as "newestDay", w.reports, w.days as "reportDays", w.messages,
      w.compliant, w.spf_pass as "spfPass",
      w.dkim_pass as "dkimPass", w.forwarded, c.policy as read, p.policy as reported,
        case when c.status = 'unknown' then c.kept->'answer'->>'inherited_from' else c.inherited_from
        end as "inheritedFrom",
      case when s.subject is not null then json_build_object('status', s.status, 'records', s.records, 'kept',
        s.kept) end as "spfCheck"
    from domain d
      join lateral (
        select day, day - ${WINDOW_DAYS}::integer as before from domain_day x
        where x.org_id = d.org_id and x.domain_id = d.id and x.day <= ${today}::date and x.reports > 0
        order by day desc limit 1) n on true
      join lateral (
        select sum(reports)::bigint as reports, count(*) filter (where reports > 0) as days,
          sum(messages)::bigint as messages, sum(compliant)::bigint as compliant,
          sum(spf_pass)::bigint as spf_pass, sum(dkim_pass)::bigint as dkim_pass, sum(forwarded)::bigint as forwarded
        from domain_day x where x.org_id = d.org_id and x.domain_id = d.id
          and x.day > n.before and x.day <= n.day) w on true
      left join domain_check c on c.org_id = d.org_id and c.domain_id = d.id and c.subject = 'dmarc'
        and c.policy is not null and c.policy_read_at > now() - interval '7 days'
      left join domain_check s on s.org_id = d.org_id and s.domain_id = d.id and s.subject = 'spf'
        and s.checked_at > now() - interval '7 days'
      left join lateral ${newest} p on c.policy is null
    where d.org_id = ${orgId} ${domainId === undefined ? sql`` : sql`and d.id = ${domainId}`}
    order by d.name`.execute(db);
  return rows.map(({ read, reported, spfCheck, ...facts }) => ({
    ...facts,
    hasValidRecord: read !== null,
    spf: spfRecordsOf(spfCheck ?? undefined, new Date()),
    policy: read ? { ...read, sp: read.sp ?? undefined } : reported ? publishedPolicy(reported) : undefined,
  }));
}
