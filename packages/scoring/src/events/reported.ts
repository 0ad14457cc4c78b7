import { addDays, dayOf, type Day } from '@dmarc-ledger/vocabulary';
import { eventTexts } from './event-texts.ts';
import { holding, type Holding } from './judgement.ts';
import { isFailingTls, spamRate, type Classification } from './other-reports.ts';

/**
 * The parts of a report on TLS, on placement, or on a single failure that the rules read. Instants are in epoch
 * seconds.
 */
export type ReportOfOtherKind =
  | { kind: 'tlsrpt'; report: TlsReportFacts }
  | { kind: 'aprf'; report: PlacementFacts }
  | { kind: 'ruf'; report: { reportedDomain: string | null } };

interface TlsReportFacts {
  begin: number | null;
  end: number | null;
  policies: readonly { domain: string | null; successes: number | null; failures: number | null }[];
}

interface PlacementFacts {
  source: string;
  dkimDomain: string;
  dkimSelector: string;
  day: Day;
  rows: readonly { classification: Classification | null }[];
}

/** A condition that holds according to a report. */
export interface ReportedCondition {
  type: 'tls_failures' | 'forensic_report_received' | 'aprf_spam_placement';
  /** The name concerned: a monitored domain, or one below it. */
  name: string;
  /** Distinguishes this condition from others of the domain; `today` for conditions raised once a day. */
  parts: readonly string[] | 'today';
  /** The day concerned; null for conditions that are raised whenever the report arrives. */
  day: Day | null;
  message?: string;
}

/** The monitored domain for each name, and the current day. */
export interface ReportedDomains {
  owners: ReadonlyMap<string, string>;
  today: Day;
}

/** Reports about older days say nothing about the present. */
const LATEST_DAYS = 3;

/** Returns the conditions that hold according to newly stored reports. (rules, events/conditions-and-events) */
export function reportedConditions(reports: readonly ReportOfOtherKind[]): ReportedCondition[] {
  return reports.flatMap((one): ReportedCondition[] => {
    switch (one.kind) {
      case 'tlsrpt':
        return tlsConditions(one.report);
      case 'aprf':
        return placementConditions(one.report);
      case 'ruf':
        return one.report.reportedDomain === null
          ? []
          : [{ type: 'forensic_report_received', name: one.report.reportedDomain, parts: 'today', day: null }];
    }
  });
}

/** Turns these into conditions of monitored domains. Leaves out other names and old days. */
export function judgeReported(conditions: readonly ReportedCondition[], { owners, today }: ReportedDomains): Holding[] {
  return conditions.flatMap(({ type, name, parts, day, message }) => {
    const domain = owners.get(name);
    if (domain === undefined || (day !== null && day < addDays(today, -LATEST_DAYS))) return [];
    const added = parts === 'today' ? [today] : parts;
    return [holding(type, { domain, parts: [domain, ...added], ...(message !== undefined && { message }) })];
  });
}

function tlsConditions({ begin, end, policies }: TlsReportFacts): ReportedCondition[] {
  const at = begin ?? end;
  return policies.flatMap(({ domain, successes, failures }) =>
    domain !== null && isFailingTls({ successes: successes ?? 0, failures: failures ?? 0 })
      ? [{ type: 'tls_failures', name: domain, parts: [domain], day: at === null ? null : dayOf(at) }]
      : [],
  );
}

function placementConditions({ source, dkimDomain, dkimSelector, day, rows }: PlacementFacts): ReportedCondition[] {
  const percent = spamRate(rows.map(({ classification }) => classification));
  if (percent === undefined) return [];
  const message = eventTexts.spam({ provider: source, percent, signer: dkimDomain });
  const name = dkimDomain.replace(/^\*\./, '');
  return [{ type: 'aprf_spam_placement', name, parts: [source, dkimSelector], day, message }];
}
