import {
  domainFactsOf,
  findHealthFacts,
  findSourceKnowledge,
  type Placement,
  type SourceKnowledge,
} from '@dmarc-ledger/facts';
import { findHealth } from '@dmarc-ledger/queries';
import type { Db } from '@dmarc-ledger/schema';
import {
  domainHealth,
  type ActionItem,
  type DomainHealth,
  type EmptyState,
  type ProtocolHealth,
} from '@dmarc-ledger/scoring';
import { instantText, pathOf, rate, type Day } from '@dmarc-ledger/vocabulary';
import { toPlacement } from '../bodies/placement-row.ts';
import type { ComputedHealth } from '../response-caches.ts';
import { defineRoute, type RequestNeeds } from '../define-route.ts';
import { notFound } from '../http/problem.ts';
import { domainParam } from '../parameters/strict.ts';
import { healthExample } from './health-example.ts';
import { DomainHealthAnswer } from './health-schema.ts';
import { toServiceFields } from './source-knowledge.ts';

export const getDomainHealth = defineRoute({
  path: '/domains/{domain}/health',
  operationId: 'getDomainHealth',
  permission: 'domain:read',
  tag: 'Domains',
  summary: 'How one domain is doing: score, records, senders, and what is to be done.',
  description:
    'Figures may be up to an hour old; `computed_at` tells. A new report, and a change in the DNS, have them ' +
    'computed anew.',
  params: { domain: domainParam('Name of a monitored domain.') },
  answer: DomainHealthAnswer,
  errors: { 400: 'Not a valid domain name.', 404: 'The organization does not monitor the domain.' },
  example: healthExample,
  heavy: 'uncapped',
  async handle(needs, { domain }) {
    return (await findDomainHealth(needs, domain)).answer;
  },
});

type AnswerItem = Omit<ActionItem, 'link'> & { cta_url: string };

/** Returns the answer, and the open items of the same health that follow those in it, most urgent first. */
export async function findDomainHealth(needs: RequestNeeds, domain: string) {
  const { body, computedAt } = await currentHealth(needs, domain);
  const { db, caller } = needs;
  const knowledge = await findSourceKnowledge(
    db,
    caller.orgId,
    body.health.senders.map(({ address }) => address),
  );
  return { answer: toAnswer(domain, body, knowledge, computedAt), further: (body.health.further ?? []).map(toItem) };
}

/** The stored health while it is current, else a new one. */
async function currentHealth(
  { db, caller: { orgId }, now, today, expensively, caches }: RequestNeeds,
  domain: string,
): Promise<ComputedHealth> {
  const held = await findHealth(db, orgId, domain);
  const isGood = held?.isCurrent === true && now.getTime() - held.computedAt.getTime() < caches.healthMs;
  if (isGood) return held;
  const compute = () => expensively((own) => computeNow(own, orgId, domain, { now, today }));
  return await caches.healths.get(`${orgId} ${domain}`, today, now.getTime(), compute);
}

async function computeNow(
  db: Db,
  orgId: string,
  domain: string,
  { now, today }: { now: Date; today: Day },
): Promise<ComputedHealth> {
  const facts = await findHealthFacts(db, orgId, domain, today);
  if (!facts) throw notFound('Domain Not Found');
  return {
    body: { health: domainHealth(domainFactsOf(facts), now, today), placement: facts.placement },
    computedAt: now,
  };
}

function toAnswer(
  domain: string,
  { health, placement }: { health: DomainHealth; placement: readonly Placement[] },
  knowledge: ReadonlyMap<string, SourceKnowledge>,
  computedAt: Date,
) {
  return {
    domain,
    overall_score: health.score,
    grade: health.grade,
    verdict: health.verdict,
    last_report_date: health.lastReportDay,
    total_messages: health.messages,
    dns: toDns(health.protocols),
    compliance: {
      rate: health.compliance.rate,
      spf_pass: health.compliance.spf,
      dkim_pass: health.compliance.dkim,
      policy: health.compliance.policy,
    },
    top_senders: health.senders.map(({ address, messages, spf, dkim }) => ({
      ip: address,
      count: messages,
      spf_result: spf,
      dkim_result: dkim,
      ...toServiceFields(knowledge.get(address)?.service),
    })),
    alert_count: health.itemCount,
    action_items: health.items.map(toItem),
    trend_sparkline: health.sparkline.map(({ day, messages, compliant }) => ({
      date: day,
      compliance_rate: rate(compliant, messages),
      total_messages: messages,
    })),
    aprf_placement: placement.map(toPlacement),
    empty_state: health.emptyState && toEmptyState(health.emptyState),
    computed_at: instantText(computedAt),
  };
}

function toDns({ dmarc, spf, dkim, mta_sts, tls_rpt, bimi, dane, aprf }: DomainHealth['protocols']) {
  return {
    dmarc: toStatus(dmarc),
    spf: toStatus(spf),
    dkim: toStatus(dkim),
    mta_sts: toStatus(mta_sts),
    tls_rpt: toStatus(tls_rpt),
    bimi: toStatus(bimi),
    dane: toStatus(dane),
    // a missing record is not an error here, as hardly any domain publishes one yet
    aprf: { status: aprf.status === 'error' ? ('unknown' as const) : aprf.status, details: aprf.details },
  };
}

function toStatus({ status, details, inheritedFrom, hostedCta }: ProtocolHealth) {
  return { status, details, inherited_from: inheritedFrom, hosted_cta: hostedCta && toOffer(hostedCta) };
}

function toOffer({ label, link }: NonNullable<ProtocolHealth['hostedCta']>) {
  return { label, url: pathOf(link) };
}

function toItem({ link, ...item }: ActionItem): AnswerItem {
  return { ...item, cta_url: pathOf(link) };
}

function toEmptyState({ link, ...state }: EmptyState) {
  return { ...state, ...(link !== undefined && { cta_url: pathOf(link) }) };
}
