import { useFrame } from '../page/frame.ts';
import type { DayBar } from './day-bars.ts';

interface LegendProps {
  days: readonly DayBar[];
  test: string;
  hasForwarded: boolean;
}

/** What each colour stands for, and its sum over all days. */
export function Legend({ days, test, hasForwarded }: LegendProps) {
  const { formats } = useFrame();
  const sum = (of: (bar: DayBar) => number) => formats.count(days.reduce((all, bar) => all + of(bar), 0));
  return (
    <ul class="legend">
      <li class="authenticated">
        <span>
          {sum(({ passed }) => passed)} passed {test}
        </span>
      </li>
      {hasForwarded && (
        <li class="likely_forwarded">
          <span>{sum(({ forwarded }) => forwarded)} failed, likely forwarded</span>
        </li>
      )}
      <li class="suspicious">
        <span>
          {sum(({ messages, passed, forwarded }) => messages - passed - forwarded)}{' '}
          {hasForwarded ? 'failed otherwise' : `failed ${test}`}
        </span>
      </li>
    </ul>
  );
}
