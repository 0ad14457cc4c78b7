import { addDays, type Day } from '@dmarc-ledger/vocabulary';

/** The mail of one day that carries a selector: passing messages, and failing ones of own sources. */
export interface SelectorDay {
  day: Day;
  passed: number;
  failed: number;
}

/** The mail of the last days that carries a selector. */
export interface SelectorUse {
  domain: string;
  selector: string;
  /** Whether an aligned pass of it was ever reported. */
  hasPassed: boolean;
  /** Days with such mail, in any order. */
  days: readonly SelectorDay[];
}

/** Of the messages of the new selector on a day, so many that carry the old one are mail in transit. */
const IN_TRANSIT = 1 / 100;
/** A server tries to deliver a mail for so many days. (RFC 5321, 4.5.4.1) */
const TRANSIT_DAYS = 5;
/** A report may cover parts of two days, and caches keep a key for up to a day. */
const SEEN_DAYS = 1;

/**
 * Returns the selectors of the same signer that may have taken over from one whose key is gone since this day:
 * their mail passed after the last day on which more than mail in transit carried the old one. Which of them belongs to
 * it is for the caller to find out. (rules, dkim-keys/correct-rotation)
 */
export function successorsByMail<Use extends SelectorUse>(
  old: SelectorUse,
  all: readonly Use[],
  goneSince: Day,
): Use[] {
  const lastDay = addDays(goneSince, TRANSIT_DAYS);
  if (!old.hasPassed || old.days.some((day) => carried(day) > 0 && day.day > lastDay)) return [];
  return all.filter((next) => {
    if (next.domain !== old.domain || next.selector === old.selector) return false;
    const lastUse = lastUseBeside(old, next);
    if (lastUse !== undefined && lastUse > addDays(goneSince, SEEN_DAYS)) return false;
    return next.days.some(({ day, passed }) => passed > 0 && (lastUse === undefined || day > lastUse));
  });
}

/** The last day on which more than mail in transit carried the old selector. */
function lastUseBeside(old: SelectorUse, next: SelectorUse): Day | undefined {
  const passed = new Map(next.days.map((day) => [day.day, day.passed]));
  const used = old.days.filter((day) => carried(day) > Math.ceil((passed.get(day.day) ?? 0) * IN_TRANSIT));
  return used
    .map(({ day }) => day)
    .toSorted()
    .at(-1);
}

function carried({ passed, failed }: SelectorDay): number {
  return passed + failed;
}

/** `s1` and `s2`, or `mx2024` and `mx2025`, differ only in digits. */
export function haveOneStem(a: string, b: string): boolean {
  return stemOf(a) === stemOf(b);
}

function stemOf(selector: string): string {
  return selector.replace(/\d+/g, '#');
}
