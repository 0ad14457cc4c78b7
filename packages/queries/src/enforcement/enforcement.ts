import {
  judgeEnforcement,
  stepEffects,
  type EnforcementVerdict,
  type MailGroup,
  type SenderOfAddress,
  type StepEffect,
} from '@dmarc-ledger/enforcement';
import {
  findAddressSenders,
  findChecks,
  findMailFates,
  findReportedPolicy,
  findSenderDecisions,
  type AddressSender,
  type StoredDecision,
} from '@dmarc-ledger/facts';
import type { Db } from '@dmarc-ledger/schema';
import { serviceOf } from '@dmarc-ledger/sources';
import { addDays, type Day } from '@dmarc-ledger/vocabulary';
import { findKnownDomain } from '../domains/known-domain.ts';
import { publishedByCheck, publishedByReport, type Published } from './published.ts';
import { absentNames } from './absent-names.ts';

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
  /** What the newest check noted about the DMARC record. */
  notes: string[];
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
  const absent = absentNames(checks.find(({ subject }) => subject === 'subdomains'));
  const groups = await findMailFates(db, { orgId, domainId, domain, from, to: today }, absent);
  const senders = await findAddressSenders(db, orgId, domainId, affectedAddresses(groups));
  const steps = stepEffects(groups, (address) => senderOf(senders.get(address), address, decisions));
  const check = checks.find(({ subject }) => subject === 'dmarc');
  const published = publishedByCheck(check, now) ?? publishedByReport(await findReportedPolicy(db, orgId, domainId));
  const messages = groups.reduce((sum, group) => sum + group.messages, 0);
  const verdict = judgeEnforcement({ domain, days, messages, ...reports, today, policy: published.policy }, steps);
  const notes = check?.notes ?? [];
  return { ...published, domainId, domain, days, from, to: today, messages, verdict, steps, notes };
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

function senderOf(
  known: AddressSender | undefined,
  address: string,
  decisions: ReadonlyMap<string, StoredDecision>,
): SenderOfAddress {
  const key = known?.sender ?? address;
  const service = known?.slug ? serviceOf(known.slug) : undefined;
  return {
    key,
    slug: known?.slug ?? null,
    name: service?.name ?? key,
    decision: decisions.get(key)?.decision ?? null,
    isForwarder: service?.forwarder ?? false,
    hasPassed: known?.hasPassed ?? false,
  };
}
