import {
  judgeEnforcement,
  judgedSenders,
  nextStep,
  refusedSenders,
  stepEffects,
  type AffectedSender,
  type EnforcementVerdict,
  type MailGroup,
  type StepEffect,
} from '@dmarc-ledger/enforcement';
import {
  findAddressSenders,
  findChecks,
  findMailFates,
  findPassingSince,
  findRefusedMail,
  findReportedPolicy,
  findSenderDecisions,
  lastAnswer,
} from '@dmarc-ledger/facts';
import type { Db } from '@dmarc-ledger/schema';
import { addDays, type Day } from '@dmarc-ledger/vocabulary';
import { findKnownDomain } from '../domains/known-domain.ts';
import {
  isBrokenByCheck,
  markBelow,
  publishedByCheck,
  publishedByReport,
  publishedSelectors,
  type Published,
} from './published.ts';
import { absentNames } from './absent-names.ts';
import { mailOfSenders, senderOf } from './sender-of-address.ts';

export interface EnforcementQuestion {
  domain: string;
  /** How many days, ending today. */
  days: number;
  today: Day;
  now: Date;
}

/** What a stricter policy would have done to a domain's mail. */
export interface Enforcement extends Published {
  domainId: string;
  domain: string;
  days: number;
  from: Day;
  to: Day;
  messages: number;
  verdict: EnforcementVerdict;
  steps: StepEffect[];
  /** The own senders of mail that receivers reject now, most messages first. */
  refused: AffectedSender[];
  /** What the newest check with an answer noted about the DMARC record. */
  notes: string[];
  /** The selectors of the domain itself with a published key, by the newest check. */
  selectors: string[];
}

/**
 * Returns undefined for a domain that the organization neither monitors nor has reports about. (rules,
 * enforcement/window)
 */
export async function findEnforcement(
  db: Db,
  orgId: string,
  { domain, days, today, now }: EnforcementQuestion,
): Promise<Enforcement | undefined> {
  const domainId = await findKnownDomain(db, orgId, domain);
  if (domainId === undefined) return undefined;
  const from = addDays(today, 1 - days);
  const [checks, decisions, reports] = await Promise.all([
    findChecks(db, orgId, domainId),
    findSenderDecisions(db, orgId, domainId),
    findReportDays(db, orgId, domainId, { from, to: today }),
  ]);
  const checkOf = (subject: string) => checks.find((each) => each.subject === subject);
  const absent = absentNames(checkOf('subdomains'), now);
  const groups = await findMailFates(db, { orgId, domainId, domain, from, to: today }, absent);
  const hasOwn = [...decisions.values()].some(({ decision }) => decision === 'ours');
  const refusedMail = await findRefusedMail(db, { orgId, domainId, from, to: today, hasOwn }, groups);
  const senders = await findAddressSenders(db, orgId, domainId, [
    ...new Set([...affectedAddresses(groups), ...refusedMail.map(({ address }) => address)]),
  ]);
  const mail = mailOfSenders([...senders.values()]);
  const passed = [...senders.values()].filter(({ sender }) => (mail.get(sender)?.compliant ?? 0) > 0);
  const since = await findPassingSince(db, { orgId, domainId, from, to: today }, passed);
  const senderAt = (address: string) => {
    const known = senders.get(address);
    const key = known?.sender ?? address;
    const about = { mail: mail.get(key), passingSince: since.get(key), decision: decisions.get(key)?.decision ?? null };
    return senderOf(known, address, about);
  };
  const steps = stepEffects(groups, senderAt);
  const check = checkOf('dmarc');
  const read =
    publishedByCheck(check, now) ??
    publishedByReport(await findReportedPolicy(db, orgId, domainId, today), isBrokenByCheck(check, now));
  const published = markBelow(read, domain);
  const messages = groups.reduce((sum, group) => sum + group.messages, 0);
  const { policy } = published;
  const step = nextStep(policy);
  const judged = step === undefined ? [] : judgedSenders(step, groups, senderAt);
  const refused = refusedSenders(refusedMail, senderAt);
  const verdict = judgeEnforcement({ domain, days, messages, ...reports, today, policy }, judged, refused);
  const selectors = publishedSelectors(domain, lastAnswer(checkOf('dkim'), now)?.facts);
  const notes = lastAnswer(check, now)?.notes ?? [];
  return { ...published, domainId, domain, days, from, to: today, messages, verdict, steps, refused, notes, selectors };
}

async function findReportDays(db: Db, orgId: string, domainId: string, { from, to }: { from: Day; to: Day }) {
  return await db
    .selectFrom('domain_day')
    .select(({ fn }) => [fn.countAll<number>().as('reportDays'), fn.max<Day | null>('day').as('newestDay')])
    .where('org_id', '=', orgId)
    .where('domain_id', '=', domainId)
    .where('day', '>=', from)
    .where('day', '<=', to)
    .where('reports', '>', 0)
    .executeTakeFirstOrThrow();
}

function affectedAddresses(groups: readonly MailGroup[]): string[] {
  return [...new Set(groups.flatMap(({ address }) => (address === null ? [] : [address])))];
}
