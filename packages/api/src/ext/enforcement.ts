import { publicSuffixDomains } from '@dmarc-ledger/dmarc';
import { isOurs, readReportUris, readUnauthorizedNote } from '@dmarc-ledger/dns-records';
import {
  addressFor,
  EXAMPLE_ADDRESS,
  fixOf,
  isOfPublicSuffix,
  stagesOf,
  pathTexts,
  permissionRecords,
  recordAt,
  stageOf,
  tagsAt,
  tagsOfPolicy,
  type AffectedSender,
  type EnforcementStep,
  type StepEffect,
} from '@dmarc-ledger/enforcement';
import {
  enforcementReadiness,
  findCoverage,
  findEnforcement,
  findReportAddresses,
  type Enforcement,
  type EnforcementQuestion,
} from '@dmarc-ledger/queries';
import type { Db } from '@dmarc-ledger/schema';
import { codesOf, dmarcPolicies, isOneOf } from '@dmarc-ledger/vocabulary';
import { defineRoute } from '../define-route.ts';
import { whileUnchanged } from '../while-unchanged.ts';
import { notFound } from '../http/problem.ts';
import { domainParam, oneOfDays } from '../parameters/strict.ts';
import { toConfidence } from '../bodies/confidence-schema.ts';
import { enforcementExample } from './enforcement-example.ts';
import { EnforcementAnswer, type EnforcementBody } from '../bodies/enforcement-schema.ts';

/** The most senders in one step of an answer. */
const MOST_SENDERS = 1_000;
const POLICIES: readonly string[] = codesOf(dmarcPolicies);
const organizationalDomain = publicSuffixDomains();

export const getEnforcement = defineRoute({
  path: '/domains/{domain}/enforcement',
  operationId: 'getDomainEnforcement',
  permission: 'analytics:read',
  tag: 'Enforcement',
  summary: 'What a stricter policy would have done to the mail of a domain, and what to repair first.',
  description:
    'Exact over the counted records of the window: each step with the senders whose mail receivers would have ' +
    'treated more strictly. Mail counts for the domain whose policy was evaluated, so a subdomain with a record of ' +
    'its own has steps of its own.',
  params: { domain: domainParam('Name of a domain that is monitored or has reports.') },
  query: { days: oneOfDays([30, 60, 90]) },
  answer: EnforcementAnswer,
  errors: { 400: 'Not a valid domain name, or `days` is none of 30, 60, 90.', 404: 'Nothing is known of the domain.' },
  example: enforcementExample,
  heavy: 'uncapped',
  async handle(needs, { domain, days }) {
    const { caller, today, now, caches } = needs;
    return await whileUnchanged(needs, { cache: caches.enforcements, key: [domain, days] }, (own) =>
      enforcementAnswer(own, caller.orgId, { domain, days, today, now }),
    );
  },
});

/**
 * The answer, for callers that read the database themselves.
 * @throws {HttpProblem} `not_found` for a domain that is not monitored and has no report.
 */
export async function enforcementAnswer(
  db: Db,
  orgId: string,
  { days, ...asked }: Omit<EnforcementQuestion, 'days'> & { days: EnforcementBody['days'] },
): Promise<EnforcementBody> {
  const found = await findEnforcement(db, orgId, { ...asked, days });
  if (!found) throw notFound('Domain Not Found');
  const [readiness, addresses, { confidence }] = await Promise.all([
    enforcementReadiness(db, orgId, found, asked.now),
    findReportAddresses(db, orgId),
    findCoverage(db, orgId, found.domainId, { days, today: asked.today }),
  ]);
  const suggested = addressFor(found.domain, addresses, organizationalDomain);
  return {
    ...toAnswer(found, days),
    confidence: toConfidence(confidence),
    is_record_read: found.isRead,
    path: pathOf(found, suggested ?? EXAMPLE_ADDRESS),
    permissions: permissionsOf(found, { addresses, suggested }),
    readiness,
  };
}

function toAnswer({ domain, from, to, policy, verdict, ...found }: Enforcement, days: EnforcementBody['days']) {
  const { p, sp, np, adkim, aspf } = policy;
  const about = { domain, selectors: found.selectors, isStrict: adkim === 's' || aspf === 's' };
  return {
    domain,
    days,
    from,
    to,
    policy: { p, sp, np, adkim, aspf },
    verdict: verdict.verdict,
    verdict_text: verdict.text,
    next_step: verdict.step ?? null,
    steps: found.steps.map((step) => toStep(about, step)),
    refused: {
      messages: found.refused.reduce((sum, { messages }) => sum + messages, 0),
      senders_total: found.refused.length,
      senders: found.refused.slice(0, MOST_SENDERS).map((sender) => {
        const { is_blocker: _, ...shown } = toSender(about, 'reject', sender);
        return shown;
      }),
    },
  };
}

type About = Pick<Enforcement, 'domain' | 'selectors'> & { isStrict: boolean };

function toStep(about: About, { step, messages, failing, newlyAffected, byDecision, senders }: StepEffect) {
  return {
    step,
    messages,
    failing_messages: failing,
    newly_affected_messages: newlyAffected,
    by_decision: byDecision,
    senders_total: senders.length,
    senders: senders.slice(0, MOST_SENDERS).map((sender) => toSender(about, step, sender)),
  };
}

function toSender(about: About, step: EnforcementStep, sender: AffectedSender) {
  const { key, slug, name, addresses, messages, decision, isBlocker } = sender;
  return {
    id: key,
    slug,
    name,
    addresses,
    messages,
    decision,
    is_blocker: isBlocker,
    fix: fixOf({ ...about, ...sender, step }),
  };
}

function pathOf(
  { domain, policy, tags: published, inheritedFrom }: Enforcement,
  address: string,
): EnforcementBody['path'] {
  const current = stageOf(policy);
  const tags = keptTags({ domain, policy, tags: published, inheritedFrom });
  return stagesOf(policy).map((stage) => ({
    stage,
    title: pathTexts[stage].title,
    is_current: stage === current,
    tags: stage === 'unpublished' ? null : tagsAt(stage, policy),
    record: stage === 'unpublished' ? null : recordAt(stage, tags, policy, address),
    watch: pathTexts[stage].watch,
    back: pathTexts[stage].back,
  }));
}

/**
 * The records without which reporters send nothing to the organization's addresses in the records of the path: those of
 * a record that stands are needed only where its check found that they are missing. (RFC 9990, 4)
 */
function permissionsOf(
  { domain, policy, tags, inheritedFrom, notes }: Enforcement,
  { addresses, suggested }: { addresses: readonly string[]; suggested: string | undefined },
): EnforcementBody['permissions'] {
  const rua = keptTags({ domain, policy, tags, inheritedFrom }).get('rua');
  const uris = readReportUris(rua);
  const ofNew = suggested === undefined ? [] : [suggested];
  const named = rua === undefined ? ofNew : addresses.filter((own) => isOurs(uris, [own]));
  const stands = tags?.has('rua') === true && inheritedFrom === null;
  return permissionRecords(domain, named, organizationalDomain).filter(
    ({ name }) => !stands || notes.some((note) => readUnauthorizedNote(note)?.record.toLowerCase() === name),
  );
}

type Kept = Pick<Enforcement, 'domain' | 'policy' | 'tags' | 'inheritedFrom'>;

/** The tags that are published and stay; those that follow from the policy where no record was read. */
function keptTags({ domain, policy, tags, inheritedFrom }: Kept) {
  const isOfSuffix = isOfPublicSuffix(inheritedFrom, organizationalDomain(domain));
  // an own record in place of an inherited one says nothing of that domain's subdomains, nor reports to its registry
  const dropped = [...(inheritedFrom === null ? [] : ['sp', 'np', 'psd']), ...(isOfSuffix ? ['rua', 'ruf'] : [])];
  // a typo would undo the policy
  const isKept = ([name, value]: [string, string]) =>
    !dropped.includes(name) && (!['sp', 'np'].includes(name) || isOneOf(POLICIES, value.toLowerCase()));
  return tags ? new Map([...tags].filter(isKept)) : tagsOfPolicy(policy);
}
