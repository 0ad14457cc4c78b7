import { useFrame } from '../page/frame.ts';
import type { DayBar } from './day-bars.ts';

interface DaysTableProps {
  days: readonly DayBar[];
  unit: string;
  hasForwarded: boolean;
}

/** The figures of a chart by day, for readers of tables; days without any are left out. */
export function DaysTable({ days, unit, hasForwarded }: DaysTableProps) {
  const { formats } = useFrame();
  const all = (of: (bar: DayBar) => number) => formats.count(days.reduce((sum, bar) => sum + of(bar), 0));
  const heads = [capital(unit), 'Passed', ...(hasForwarded ? ['Failed, likely forwarded'] : []), 'Failed in all'];
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={`${capital(unit)} by day`}>
      <table>
        <thead>
          <tr>
            <th scope="col">Day</th>
            {heads.map((head) => (
              <th key={head} scope="col" class="number">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days
            .filter(({ messages }) => messages > 0)
            .map(({ day, messages, passed, forwarded }) => (
              <tr key={day}>
                <td>{formats.day(day)}</td>
                <td class="number">{formats.count(messages)}</td>
                <td class="number">{formats.count(passed)}</td>
                {hasForwarded && <td class="number">{formats.count(forwarded)}</td>}
                <td class="number">{formats.count(messages - passed)}</td>
              </tr>
            ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">All days</th>
            <td class="number">{all(({ messages }) => messages)}</td>
            <td class="number">{all(({ passed }) => passed)}</td>
            {hasForwarded && <td class="number">{all(({ forwarded }) => forwarded)}</td>}
            <td class="number">{all(({ messages, passed }) => messages - passed)}</td>
          </tr>
        </tfoot>
      </table>
    </div>
  );
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
