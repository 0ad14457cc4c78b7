import { pathStages } from '@dmarc-ledger/enforcement';
import type { EnforcementStage } from '@dmarc-ledger/queries';
import { confidenceOfPart } from '@dmarc-ledger/scoring';
import { rate } from '@dmarc-ledger/vocabulary';
import { z } from 'zod';
import { ConfidenceField, toConfidence, type ConfidenceBody } from '../bodies/confidence-schema.ts';
import { EnforcementAnswer } from '../bodies/enforcement-schema.ts';
import { count, paging, percentage, text } from '../bodies/fields.ts';
import { defineRoute } from '../define-route.ts';
import { limit, offset } from '../parameters/lenient.ts';
import { enforcementStages } from './enforcement-stages.ts';
import { ORG_COVERAGE_DAYS, orgCoverage } from './org-coverage.ts';

const { policy, next_step } = EnforcementAnswer.shape;

const Stage = z
  .object({
    domain: text('Name of the domain.'),
    stage: z.enum(pathStages).describe('Where it stands on the path to reject, by what it publishes.'),
    policy,
    verdict: text(
      'About the next step: `ready`, `ready after N fixes`, `not enough data`, or `no valid record`; `being computed` ' +
        'for minutes after an upgrade or an import.',
    ),
    next_step,
    messages: count('Messages of the last 30 days.'),
    failing_messages: count('Messages among them that did not pass DMARC.'),
    compliance_rate: percentage('Share of messages that passed DMARC; null without messages.').nullable(),
    confidence: ConfidenceField.describe('The confidence in that rate.'),
    days_with_reports: count('Of the last 30 days.'),
  })
  .meta({ id: 'EnforcementListStage' });

export const listEnforcement = defineRoute({
  path: '/enforcement',
  operationId: 'listEnforcement',
  permission: 'analytics:read',
  tag: 'Enforcement',
  summary: 'Where each domain stands on the path to reject, and whether its next step is ready.',
  description:
    'The domains that are monitored or have reports of the last 30 days, by name; at most 1,000. The verdict is that ' +
    'of `/domains/{domain}/enforcement` over 30 days.',
  heavy: true,
  query: { limit: limit(50), offset },
  answer: z.object({ domains: z.array(Stage).describe('By name.'), ...paging }),
  example: {
    domains: [
      {
        domain: 'example.com',
        stage: 'monitor',
        policy: { p: 'none', sp: null, np: null, adkim: 'r', aspf: 'r' },
        verdict: 'ready after 1 fix',
        next_step: 'quarantine',
        messages: 1000,
        failing_messages: 45,
        compliance_rate: 95.5,
        confidence: {
          level: 'medium',
          seen_rate: 98,
          lowest_rate: 93.59,
          highest_rate: 95.59,
          text:
            'Medium confidence: the reports show 98.0 % of the expected mail, so the share that passes lies ' +
            'between 93.6 % and 95.6 %.',
        },
        days_with_reports: 30,
      },
    ],
    total: 1,
    limit: 50,
    offset: 0,
  },
  async handle(needs, page) {
    const stages = await enforcementStages(needs, ORG_COVERAGE_DAYS);
    const { confidences } = await orgCoverage(needs);
    const shown = stages.slice(page.offset, page.offset + page.limit);
    const domains = shown.map((stage) => toStage(stage, confidences.get(stage.domain)));
    return { domains, total: stages.length, ...page };
  },
});

function toStage(
  { domain, stage, policy: published, verdict, nextStep, messages, failing, reportDays }: EnforcementStage,
  confidence: ConfidenceBody | undefined,
): z.input<typeof Stage> {
  const { p, sp, np, adkim, aspf } = published;
  return {
    domain,
    stage,
    policy: { p, sp, np, adkim, aspf },
    verdict,
    next_step: nextStep ?? null,
    messages,
    failing_messages: failing,
    compliance_rate: messages === 0 ? null : rate(messages - failing, messages),
    confidence: confidence ?? toConfidence(confidenceOfPart({ messages, passed: messages - failing }, { seen: null })),
    days_with_reports: reportDays,
  };
}
