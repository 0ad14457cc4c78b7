import { useFrame } from '../page/frame.ts';
import type { DayBar, sumParts } from './day-bars.ts';
import { partNames } from './part-names.ts';

interface DaysTableProps {
  days: readonly DayBar[];
  unit: string;
  /** The columns besides the sum of a day. */
  sums: ReturnType<typeof sumParts>;
}

/** The figures of a chart by day, for readers of tables; days without any are left out. */
export function DaysTable({ days, unit, sums }: DaysTableProps) {
  const { formats } = useFrame();
  const heads = [capital(unit), ...sums.map(({ part }) => partNames[part].head)];
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
            .map(({ day, messages, parts }) => (
              <tr key={day}>
                <td>{formats.day(day)}</td>
                <td class="number">{formats.count(messages)}</td>
                {sums.map(({ part }) => (
                  <td key={part} class="number">
                    {formats.count(parts[part] ?? 0)}
                  </td>
                ))}
              </tr>
            ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">All days</th>
            <td class="number">{formats.count(days.reduce((sum, { messages }) => sum + messages, 0))}</td>
            {sums.map(({ part, messages }) => (
              <td key={part} class="number">
                {formats.count(messages)}
              </td>
            ))}
          </tr>
        </tfoot>
      </table>
    </div>
  );
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
