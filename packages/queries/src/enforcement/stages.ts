import {
  enforcementTexts,
  isBlocker,
  isEnoughData,
  judgedMail,
  nextStep,
  SHARE_TO_BLOCK,
  stageOf,
  verdictOf,
  type AppliedPolicy,
  type EnforcementStep,
  type PathStage,
} from '@dmarc-ledger/enforcement';
import {
  findDomainsToCompute,
  findStepMail,
  newestPolicy,
  type StepOfDomain,
  type StoredCheck,
} from '@dmarc-ledger/facts';
import type { PolicyPublished } from '@dmarc-ledger/dmarc';
import type { Db } from '@dmarc-ledger/schema';
import { serviceOf } from '@dmarc-ledger/sources';
import { addDays, type Day } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';
import { absentNames } from './absent-names.ts';
import { isBrokenByCheck, markBelow, publishedByCheck, publishedByReport } from './published.ts';

/** Where a domain stands on the path to reject, and the mail of its last days. */
export interface EnforcementStage {
  domainId: string;
  domain: string;
  stage: PathStage;
  policy: AppliedPolicy;
  messages: number;
  failing: number;
  reportDays: number;
  newestDay: Day | null;
  nextStep: EnforcementStep | undefined;
  /** As that of `judgeEnforcement`; `being computed` while a job stores the days of the mail. */
  verdict: string;
  /** False while it is being computed. */
  isJudged: boolean;
}

type UnjudgedStage = Omit<EnforcementStage, 'verdict' | 'isJudged'> & { absent: string[] };

interface StagesQuestion {
  days: number;
  today: Day;
  now: Date;
}

export const MOST_STAGES = 1_000;

/**
 * Returns the domains that are monitored or have reports in the window, by name; at most 1,000. The verdict is that of
 * `findEnforcement`; three statements find it for all domains. (rules, enforcement/verdict)
 */
export async function findEnforcementStages(
  db: Db,
  orgId: string,
  question: StagesQuestion,
): Promise<EnforcementStage[]> {
  const stages = await findUnjudgedStages(db, orgId, question);
  const window = { orgId, from: addDays(question.today, 1 - question.days), to: question.today };
  const { today } = question;
  const steps = stages.filter((stage) => isEnoughData({ ...stage, today })).flatMap(stepOf); // else no sender matters
  const waiting = await findDomainsToCompute(db, { ...window, domainIds: steps.map(({ domainId }) => domainId) });
  const ready = steps.filter(({ domainId }) => !waiting.has(domainId));
  const mails = await findStepMail(db, { ...window, leastShare: SHARE_TO_BLOCK }, ready);
  return stages.map(({ absent: _absent, ...stage }) => {
    if (waiting.has(stage.domainId)) return { ...stage, isJudged: false, verdict: enforcementTexts.verdict.pending };
    const mail = mails.get(stage.domainId);
    const blockers = mail?.senders.filter(({ slug, ...sender }) => {
      const isForwarder = slug !== null && (serviceOf(slug)?.forwarder ?? false);
      return isBlocker({ ...sender, slug, isForwarder }, mail.messages);
    });
    return { ...stage, isJudged: true, verdict: verdictOf({ ...stage, today }, blockers?.length ?? 0) };
  });
}

function stepOf({ domainId, domain, nextStep: step, absent }: UnjudgedStage): StepOfDomain[] {
  return step === undefined ? [] : [{ domainId, domain, absent, ...judgedMail(step) }];
}

async function findUnjudgedStages(
  db: Db,
  orgId: string,
  { days, today, now }: StagesQuestion,
): Promise<UnjudgedStage[]> {
  const newest = newestPolicy({ orgId: sql.ref('d.org_id'), domainId: sql.ref('d.id') }, today);
  const { rows } = await sql<{
    domainId: string;
    domain: string;
    check: StoredCheck | null;
    names: StoredCheck | null;
    policy: PolicyPublished | null;
    messages: number;
    failing: number;
    reportDays: number;
    newestDay: Day | null;
    policyReadAt: Date | null;
  }>`
    select d.id as "domainId", d.name as domain, to_jsonb(c) as check, c.policy_read_at as "policyReadAt", r.policy,
      to_jsonb(n) as names, coalesce(s.messages, 0)::bigint as messages, coalesce(s.failing, 0)::bigint as failing,
      coalesce(s.days, 0) as "reportDays", s.newest::text as "newestDay"
    from domain d
      left join domain_check c on c.org_id = d.org_id and c.domain_id = d.id and c.subject = 'dmarc'
      left join domain_check n on n.org_id = d.org_id and n.domain_id = d.id and n.subject = 'subdomains'
      left join lateral ${newest} r on true
      left join lateral (
        select sum(messages) as messages, sum(messages - compliant) as failing, count(*) as days,
          max(x.day) as newest from domain_day x
        where x.org_id = d.org_id and x.domain_id = d.id and x.day between ${addDays(today, 1 - days)}::date
          and ${today}::date
          and x.reports > 0) s on true
    where d.org_id = ${orgId} and (d.monitored or s.days > 0)
    order by d.name limit ${MOST_STAGES}`.execute(db);
  return rows.map(({ check, names, policy: reported, policyReadAt, ...mail }) => {
    const stored = check ? { ...check, policy_read_at: policyReadAt } : undefined;
    const { policy } = markBelow(
      publishedByCheck(stored, now) ?? publishedByReport(reported ?? undefined, isBrokenByCheck(stored, now)),
      mail.domain,
    );
    const absent = absentNames(names ?? undefined, now);
    return { ...mail, stage: stageOf(policy), policy, nextStep: nextStep(policy), absent };
  });
}
