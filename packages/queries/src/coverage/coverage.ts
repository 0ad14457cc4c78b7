import { type Coverage, judgeCoverage } from '@dmarc-ledger/scoring';
import type { Db } from '@dmarc-ledger/schema';
import { addDays, type Day, daysBetween } from '@dmarc-ledger/vocabulary';
import { findDomainNames } from '../domains/totals.ts';
import { ALL_DOMAINS, findReporterDays } from './reporter-days.ts';

export interface CoverageQuestion {
  /** How many days, ending today. */
  days: number;
  today: Day;
}

/** How much reports show of the mail of a window. */
export interface FoundCoverage extends Coverage {
  from: Day;
  to: Day;
  /** The calendar day of a day number. */
  dayOf: (number: number) => Day;
}

/** Days before the window that show how often each reporter reports. */
const HISTORY_DAYS = 60;
/** Reports about today and yesterday may still arrive. */
const NOT_DUE_DAYS = 2;

/** Judges the reports about one domain. (rules, coverage/window) */
export async function findCoverage(
  db: Db,
  orgId: string,
  domainId: string,
  question: CoverageQuestion,
): Promise<FoundCoverage> {
  const { of } = await judgeAll(db, orgId, [domainId], question);
  return of(domainId);
}

/** Judges the reports about each of these domains; the result answers about any of them. */
export async function findCoverages(
  db: Db,
  orgId: string,
  domainIds: readonly string[],
  question: CoverageQuestion,
): Promise<(domainId: string) => FoundCoverage> {
  return (await judgeAll(db, orgId, domainIds, question)).of;
}

/** The coverage of all domains together, whose reporters are those of any, and of each domain with reports. */
export interface OrgCoverage {
  all: FoundCoverage;
  /** By name. */
  domains: Map<string, FoundCoverage>;
}

/** Judges the reports about all domains, together and each, in one reading of the reports. */
export async function findOrgCoverage(db: Db, orgId: string, question: CoverageQuestion): Promise<OrgCoverage> {
  const { of, keys } = await judgeAll(db, orgId, undefined, question);
  const domainIds = keys.filter((key) => key !== ALL_DOMAINS);
  const names = await findDomainNames(db, orgId, domainIds);
  return { all: of(ALL_DOMAINS), domains: new Map([...names].map(([id, name]) => [name, of(id)])) };
}

async function judgeAll(
  db: Db,
  orgId: string,
  domainIds: readonly string[] | undefined,
  { days, today }: CoverageQuestion,
): Promise<{ of: (key: string) => FoundCoverage; keys: string[] }> {
  const from = addDays(today, 1 - days);
  const history = addDays(from, -HISTORY_DAYS);
  const facts = await findReporterDays(db, { orgId, domainIds, history, from, to: today });
  const count = daysBetween(history, today) + 1;
  const numbers = { from: HISTORY_DAYS, notDue: count - NOT_DUE_DAYS, count };
  const dayOf = (number: number) => addDays(history, number);
  const of = (key: string) => ({ ...judgeCoverage(facts.get(key) ?? [], numbers), from, to: today, dayOf });
  return { of, keys: [...facts.keys()] };
}
