import { stageOf, type AppliedPolicy, type PathStage } from '@dmarc-ledger/enforcement';
import type { StoredCheck } from '@dmarc-ledger/facts';
import type { PolicyPublished } from '@dmarc-ledger/dmarc';
import type { Db } from '@dmarc-ledger/schema';
import { addDays, type Day } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';
import { publishedByCheck, publishedByReport } from './published.ts';

/** Where a domain stands on the path to reject, and the mail of its last days. */
export interface EnforcementStage {
  domain: string;
  stage: PathStage;
  policy: AppliedPolicy;
  messages: number;
  failing: number;
  reportDays: number;
}

const MOST = 1_000;

/** Returns the domains that are monitored or have reports in the window, by name; at most 1,000. */
export async function findEnforcementStages(
  db: Db,
  orgId: string,
  { days, today, now }: { days: number; today: Day; now: Date },
): Promise<EnforcementStage[]> {
  const { rows } = await sql<{
    domain: string;
    check: StoredCheck | null;
    policy: PolicyPublished | null;
    messages: number;
    failing: number;
    reportDays: number;
    policyReadAt: Date | null;
  }>`
    select d.name as domain, to_jsonb(c) as check, c.policy_read_at as "policyReadAt", r.policy,
      coalesce(s.messages, 0)::bigint as messages, coalesce(s.failing, 0)::bigint as failing, coalesce(s.days, 0) as "reportDays"
    from domain d
      left join domain_check c on c.org_id = d.org_id and c.domain_id = d.id and c.subject = 'dmarc'
      left join lateral (
        select policy from report where org_id = d.org_id and domain_id = d.id order by date_end desc nulls last, id desc limit 1
      ) r on true
      left join lateral (
        select sum(messages) as messages, sum(messages - compliant) as failing, count(*) as days from domain_day x
        where x.org_id = d.org_id and x.domain_id = d.id and x.day between ${addDays(today, 1 - days)}::date and ${today}::date
          and x.reports > 0) s on true
    where d.org_id = ${orgId} and (d.monitored or s.days > 0)
    order by d.name limit ${MOST}`.execute(db);
  return rows.map(({ domain, check, policy, messages, failing, reportDays, policyReadAt }) => {
    const stored = check ? { ...check, policy_read_at: policyReadAt } : undefined;
    const published = publishedByCheck(stored, now) ?? publishedByReport(policy ?? undefined);
    return { domain, stage: stageOf(published.policy), policy: published.policy, messages, failing, reportDays };
  });
}
