import type { CoverageDays, SilentReporter } from './coverage.ts';
import { EXPECTED_DAYS } from './day-states.ts';
import type { KnownReporter } from './known-reporter.ts';
import { IMPROBABLE } from './silence.ts';

/**
 * The reporters that have fallen silent while others report, the largest first. With many reporters some silence is
 * always improbable, so the chance is compared with the limit divided by their number: that any of them is named
 * wrongly is then no more probable than the limit. (rules, coverage/silent-reporters)
 */
export function silentReporters(
  known: readonly KnownReporter[],
  { from, notDue }: CoverageDays,
  large: number,
): SilentReporter[] {
  const judged = known.filter(({ history }) => history.last >= 0 && history.hasRhythm());
  const usual = new Map(judged.map(({ name, history }) => [name, history.usualMessages()]));
  const all = [...usual.values()].reduce((sum, messages) => sum + messages, 0);
  const limit = IMPROBABLE / Math.max(1, judged.length);
  const oldest = Math.min(from, notDue - 1 - EXPECTED_DAYS);
  return judged
    .flatMap(({ name, history, isAhead }): SilentReporter[] => {
      const chance = history.chanceOfSilenceNow();
      const silentDays = history.silentDays();
      if (isAhead || silentDays === 0 || chance > limit || history.last < oldest) return [];
      const usualMessages = Math.round(usual.get(name) ?? 0);
      const share = all === 0 ? 0 : (usual.get(name) ?? 0) / all;
      return [{ name, last: history.last, silentDays, chance, usualMessages, share, isLarge: share > large }];
    })
    .toSorted((a, b) => b.share - a.share || (a.name < b.name ? -1 : 1));
}
