import { addDays, type Day, daysBetween, type EffectivePolicy } from '@dmarc-ledger/vocabulary';
import { policyStrength, round } from './policy-strength.ts';
import { scoreOf, type MessageSums, type Score } from './score.ts';

/** One domain's days with reports, oldest first, and the policy of the newest report on each. */
export interface DomainHistory {
  days: readonly (MessageSums & { day: Day })[];
  policies: readonly ReportedPolicy[];
}

/** The policy according to a report. */
interface ReportedPolicy {
  day: Day;
  /** In seconds since 1970; null if the report has no end. */
  end: number | null;
  /** The id of the report; one that is stored later has a larger one. */
  id: string;
  policy: EffectivePolicy;
}

/** The score of an organization on a day. */
export interface Snapshot extends Score {
  day: Day;
  /** Messages in the windows of that day. */
  messages: number;
}

interface DaySums extends MessageSums {
  domains: number;
  strengths: number;
  strengthSum: number;
}

const NOTHING: DaySums = {
  messages: 0,
  compliant: 0,
  spfPass: 0,
  dkimPass: 0,
  domains: 0,
  strengths: 0,
  strengthSum: 0,
};
const WINDOW_DAYS = 30;

/**
 * Computes the scores of an organization on each day of a range, as they were on that day: from the reports of that day
 * and before, with each domain's window ending on its newest report day, and the policy of its newest report. (rules,
 * scores/snapshots) Domains are added one by one, so memory does not grow with their number.
 */
export class SnapshotRange {
  readonly from: Day;
  readonly #sums: DaySums[];

  constructor(from: Day, to: Day) {
    this.from = from;
    const length = Math.max(0, daysBetween(from, to) + 1);
    this.#sums = Array.from({ length }, () => ({ ...NOTHING }));
  }

  add({ days, policies }: DomainHistory): void {
    let [first, next, nextPolicy] = [0, 0, 0]; // the window is days[first] to days[next - 1]
    let newest: ReportedPolicy | undefined;
    for (const [i, sums] of this.#sums.entries()) {
      const day = addDays(this.from, i);
      while (next < days.length && days[next]!.day <= day) next += 1;
      for (; nextPolicy < policies.length && policies[nextPolicy]!.day <= day; nextPolicy += 1) {
        const other = policies[nextPolicy]!;
        if (!newest || isNewer(other, newest)) newest = other;
      }
      if (next === 0) continue; // no report had arrived yet
      const begin = addDays(days[next - 1]!.day, 1 - WINDOW_DAYS);
      while (days[first]!.day < begin) first += 1;
      addDomain(sums, days.slice(first, next), newest && policyStrength(newest.policy));
    }
  }

  /** Yields one snapshot for each day from the first report on, oldest first. */
  *snapshots(): Generator<Snapshot> {
    for (const [i, { domains, strengths, strengthSum, ...sums }] of this.#sums.entries()) {
      if (domains === 0) continue;
      const policy = strengths === 0 ? 0 : round(strengthSum / strengths);
      yield { day: addDays(this.from, i), messages: sums.messages, ...scoreOf(sums, policy) };
    }
  }
}

/**
 * By the end of the window, and of equals the one stored last; a report without an end is the oldest. (rules,
 * scores/effective-policy)
 */
function isNewer(one: ReportedPolicy, other: ReportedPolicy): boolean {
  const [end, otherEnd] = [one.end ?? -Infinity, other.end ?? -Infinity];
  return end === otherEnd ? one.id > other.id : end > otherEnd;
}

/** A domain without messages in its window is left out of rates and policy. */
function addDomain(sums: DaySums, window: DomainHistory['days'], strength: number | undefined): void {
  sums.domains += 1;
  const before = sums.messages;
  for (const day of window) {
    sums.messages += day.messages;
    sums.compliant += day.compliant;
    sums.spfPass += day.spfPass;
    sums.dkimPass += day.dkimPass;
  }
  if (sums.messages === before) return;
  sums.strengths += 1;
  sums.strengthSum += strength ?? 0;
}
