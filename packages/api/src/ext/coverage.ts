import { countUnprovenMessages, findCoverage, findKnownDomain, type FoundCoverage } from '@dmarc-ledger/queries';
import { coverageTexts, type CoverageDay, type CoverageReporter, type SilentReporter } from '@dmarc-ledger/scoring';
import type { Db } from '@dmarc-ledger/schema';
import { type Day, rate } from '@dmarc-ledger/vocabulary';
import { toConfidence } from '../bodies/confidence-schema.ts';
import { CoverageAnswer, type CoverageBody } from '../bodies/coverage-schema.ts';
import { defineRoute } from '../define-route.ts';
import { whileUnchanged } from '../while-unchanged.ts';
import { notFound } from '../http/problem.ts';
import { domainParam, oneOfDays } from '../parameters/strict.ts';
import { coverageExample } from './coverage-example.ts';

const MOST = 200;

export const getCoverage = defineRoute({
  path: '/domains/{domain}/coverage',
  operationId: 'getDomainCoverage',
  permission: 'analytics:read',
  tag: 'Coverage',
  summary:
    'How much of the mail of a domain its figures show: who should have reported and did not, and what is in doubt.',
  description:
    'Reporters are expected by their own history. The confidence says between which values the share of passing mail ' +
    'lies, whatever the mail that is not seen came to. Receivers that never send reports stay invisible.',
  params: { domain: domainParam('Name of a domain that is monitored or has reports.') },
  query: { days: oneOfDays([30, 60, 90]) },
  answer: CoverageAnswer,
  errors: { 400: 'Not a valid domain name, or `days` is none of 30, 60, 90.', 404: 'Nothing is known of the domain.' },
  example: coverageExample,
  heavy: 'uncapped',
  async handle(needs, { domain, days }) {
    const { caller, today, caches } = needs;
    return await whileUnchanged(needs, { cache: caches.coverages, key: [domain, days] }, (own) =>
      coverageAnswer(own, caller.orgId, { domain, days, today }),
    );
  },
});

/**
 * The answer, for callers that read the database themselves.
 * @throws {HttpProblem} `not_found` for a domain that is not monitored and has no report.
 */
export async function coverageAnswer(
  db: Db,
  orgId: string,
  { domain, days, today }: { domain: string; days: CoverageBody['days']; today: Day },
): Promise<CoverageBody> {
  const domainId = await findKnownDomain(db, orgId, domain);
  if (domainId === undefined) throw notFound('Domain Not Found');
  const found = await findCoverage(db, orgId, domainId, { days, today });
  const { messages, passed, silent, reporters } = found;
  const unproven = await countUnprovenMessages(db, orgId, domainId, found);
  const missing = found.days.filter(({ state }) => state === 'missing').length;
  const shown = silent.slice(0, MOST).map((reporter) => toSilent(reporter, found));
  return {
    domain,
    days,
    from: found.from,
    to: found.to,
    messages,
    compliance_rate: rate(passed, messages),
    confidence: toConfidence(found.confidence),
    missing_days: missing,
    quiet_days: found.days.filter(({ state }) => state === 'quiet').length,
    ...toDoubt(found),
    unproven_messages: unproven,
    findings:
      messages === 0 && missing === 0 ? [] : [...findingsOf(found, missing, shown), ...unprovenOf(unproven, messages)],
    silent_reporters: shown,
    silent_reporters_total: silent.length,
    by_day: found.days.map((day) => toDay(day, found)),
    reporters: reporters.slice(0, MOST).map((reporter) => toReporter(reporter, found)),
    reporters_total: reporters.length,
  };
}

function findingsOf({ days, messages, doubtful, dropped }: FoundCoverage, missing: number, silent: Silent[]): string[] {
  const due = days.filter(({ state }) => state !== 'not_due').length;
  return [
    ...silent.filter(({ is_large }) => is_large).map(({ text }) => text),
    coverageTexts.days({ missing, days: due }),
    coverageTexts.doubtful({ messages: doubtful, share: rate(doubtful, messages) }),
    coverageTexts.dropped({ records: dropped }),
  ];
}

/** Returns no sentence where nothing was imported. */
function unprovenOf(unproven: number, messages: number): string[] {
  return unproven === 0 ? [] : [coverageTexts.unproven({ messages: unproven, share: rate(unproven, messages) })];
}

type Doubt = Pick<CoverageDay, 'messages' | 'unauthenticated' | 'conflicting' | 'doubtful' | 'dropped' | 'unseen'>;

function toDoubt({ messages, unauthenticated, conflicting, doubtful, dropped, unseen }: Doubt) {
  return {
    unauthenticated_messages: unauthenticated,
    conflicting_messages: conflicting,
    doubtful_messages: doubtful,
    doubtful_rate: rate(doubtful, messages),
    dropped_records: dropped,
    unseen_messages: unseen,
  };
}

function toDay(day: CoverageDay, { dayOf }: FoundCoverage) {
  return {
    day: dayOf(day.day),
    state: day.state,
    reports: day.reports,
    messages: day.messages,
    reporters: day.reporters,
    expected_reporters: day.expected,
    absent_reporters: day.absent,
    ...toDoubt(day),
  };
}

function toReporter(reporter: CoverageReporter, { dayOf, messages }: FoundCoverage) {
  return {
    name: reporter.name,
    state: reporter.state,
    reports: reporter.reports,
    messages: reporter.messages,
    message_rate: rate(reporter.messages, messages),
    report_days: reporter.reportDays,
    expected_days: reporter.expectedDays,
    absent_days: reporter.absentDays,
    last_day: dayOf(reporter.last),
  };
}

type Silent = ReturnType<typeof toSilent>;

function toSilent(reporter: SilentReporter, { dayOf }: FoundCoverage) {
  const { name, silentDays: days, usualMessages: messages, isLarge, chance } = reporter;
  const share = Math.round(reporter.share * 10_000) / 100;
  return {
    name,
    last_day: dayOf(reporter.last),
    silent_days: days,
    chance,
    usual_messages: messages,
    usual_rate: share,
    is_large: isLarge,
    text: coverageTexts.silent({ name, isLarge, days, messages, share }),
  };
}
