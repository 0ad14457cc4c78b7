import { publishedPolicy } from '@dmarc-ledger/facts';
import { findReadPolicies, hastenChecks } from '@dmarc-ledger/ledger';
import type { Db, Session } from '@dmarc-ledger/schema';
import type { PolicyPublished } from '@dmarc-ledger/dmarc';
import { addDays, type Day, type EffectivePolicy } from '@dmarc-ledger/vocabulary';

/** What a report says of the domain that it is about. */
export interface ReportedDomain {
  domainId: string;
  day: Day;
  policy: PolicyPublished;
}

/** What a domain published longer ago is not new. */
const RECENT_DAYS = 3;

/**
 * Has domains checked soon that reports bring news of: their first report, a selector that became known, or another
 * policy than the one read last. (rules, domain-checks/time-of-the-next-check)
 */
export async function noteNews(
  session: Session,
  orgId: string,
  { reports, newlyKnown }: { reports: readonly ReportedDomain[]; newlyKnown: readonly string[] },
): Promise<void> {
  const domainIds = [...new Set(reports.map(({ domainId }) => domainId))].toSorted();
  await hastenChecks(session, orgId, domainIds, 'report');
  await hastenChecks(session, orgId, newlyKnown, 'selector');
  await hastenChecks(session, orgId, await withOtherPolicy(session.db, orgId, reports), 'policy');
}

async function withOtherPolicy(db: Db, orgId: string, reports: readonly ReportedDomain[]): Promise<string[]> {
  const read = await findReadPolicies(
    db,
    orgId,
    reports.map(({ domainId }) => domainId),
  );
  const other = reports.filter(({ domainId, day, policy }) => {
    const last = read.get(domainId);
    if (!last || day < addDays(last.today, -RECENT_DAYS) || day > last.today) return false;
    return !isAlike(publishedPolicy(policy), { ...last.policy, sp: last.policy.sp ?? undefined });
  });
  return [...new Set(other.map(({ domainId }) => domainId))];
}

/** A missing policy for subdomains is that of the domain; reporters write it out, also where they do not ask for it. */
function isAlike(reported: EffectivePolicy, read: EffectivePolicy): boolean {
  const subdomains = read.unusedSp ?? read.sp ?? read.p;
  const isSame = reported.p === read.p && (reported.sp ?? reported.p) === subdomains;
  return isSame && reported.pct === read.pct && reported.t === read.t;
}
