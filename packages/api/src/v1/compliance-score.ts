import { findScoreFacts, type ScoreFacts } from '@dmarc-ledger/facts';
import { findDomainId } from '@dmarc-ledger/queries';
import { gradeOf, scoreDomains, scoreTogether, type ScoredDomain } from '@dmarc-ledger/scoring';
import { codesOf, dmarcPolicies, grades } from '@dmarc-ledger/vocabulary';
import { z } from 'zod';
import { defineRoute } from '../define-route.ts';
import { domainFilter } from '../parameters/strict.ts';
import { count, percentage, text } from '../bodies/fields.ts';

const score = (description: string) => z.number().min(0).max(100).describe(description);
const grade = z.enum(codesOf(grades)).describe('Grade of the score; `N/A` before the first report.');

const DomainScore = z
  .object({
    domain: text('Name, as A-labels.'),
    score: score('0 to 100.'),
    grade,
    compliance_rate: percentage('Share of messages that passed DMARC.'),
    spf_pass_rate: percentage('Share with aligned SPF.'),
    dkim_pass_rate: percentage('Share with aligned DKIM.'),
    policy: z.enum(codesOf(dmarcPolicies)).describe('Policy that applies; `none` also when none could be read.'),
    total_messages: count('Messages in the scoring window.'),
  })
  .meta({ id: 'DomainScore' });

export const complianceScore = defineRoute({
  path: '/compliance-score',
  operationId: 'getComplianceScore',
  permission: 'analytics:read',
  tag: 'Analytics',
  summary: 'How well mail is authenticated, as one figure, and by domain.',
  description:
    'Of each domain the 30 days up to its newest report day count. 40 % compliance, 20 % each for SPF, DKIM and ' +
    'policy. A locked domain (no compliant mail, `reject` fully applied, SPF `-all` alone) scores as if its three ' +
    'rates were 100; the rates stay as they are.',
  query: { domain: domainFilter },
  answer: z.object({
    overall_score: score('0 to 100.'),
    grade,
    compliance_rate: percentage('Share of messages that passed DMARC.'),
    spf_pass_rate: percentage('Share with aligned SPF.'),
    dkim_pass_rate: percentage('Share with aligned DKIM.'),
    policy_strength: score('How far the domains have moved towards enforcement, averaged.'),
    domain_scores: z.array(DomainScore).describe('One for each domain with reports, worst score first.'),
    total_messages: count('Messages that the score was computed from.'),
    total_reports: count('Reports that the score was computed from.'),
  }),
  errors: { 400: '`domain` is not a valid domain name.' },
  example: {
    overall_score: 76.88,
    grade: 'C',
    compliance_rate: 78.13,
    spf_pass_rate: 75,
    dkim_pass_rate: 78.13,
    policy_strength: 75,
    domain_scores: [
      {
        domain: 'example.com',
        score: 76.88,
        grade: 'C',
        compliance_rate: 78.13,
        spf_pass_rate: 75,
        dkim_pass_rate: 78.13,
        policy: 'quarantine',
        total_messages: 160,
      },
    ],
    total_messages: 160,
    total_reports: 12,
  },
  async handle({ db, caller: { orgId }, today }, { domain }) {
    const domainId = domain === undefined ? undefined : await findDomainId(db, orgId, domain);
    const isUnknown = domain !== undefined && domainId === undefined;
    const facts = isUnknown ? [] : await findScoreFacts(db, orgId, today, domainId);
    return scoreOf(facts, { ofDomain: domain !== undefined });
  },
});

/** The answer for the facts of one domain, or of all. */
function scoreOf(facts: readonly ScoreFacts[], { ofDomain }: { ofDomain: boolean }) {
  const domains = scoreDomains(facts);
  const [own] = ofDomain ? domains : [];
  const all = own ? { ...own.score, sums: own.facts } : scoreTogether(domains);
  return {
    overall_score: facts.length > 0 ? all.score : 0,
    grade: gradeOf(all.score, facts.length > 0),
    compliance_rate: all.compliance,
    spf_pass_rate: all.spf,
    dkim_pass_rate: all.dkim,
    policy_strength: all.policy,
    domain_scores: domains.map(toDomainScore),
    total_messages: all.sums.messages,
    total_reports: facts.reduce((sum, { reports }) => sum + reports, 0),
  };
}

function toDomainScore({ facts, score: { score: value, compliance, spf, dkim } }: ScoredDomain<ScoreFacts>) {
  return {
    domain: facts.domain,
    score: value,
    grade: gradeOf(value, true),
    compliance_rate: compliance,
    spf_pass_rate: spf,
    dkim_pass_rate: dkim,
    policy: facts.policy?.p ?? ('none' as const),
    total_messages: facts.messages,
  };
}
