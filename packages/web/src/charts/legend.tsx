import { useFrame } from '../page/frame.ts';
import type { sumParts } from './day-bars.ts';
import { partNames } from './part-names.ts';

interface LegendProps {
  sums: ReturnType<typeof sumParts>;
  test: string;
}

/** What each colour stands for, and its sum over all days. */
export function Legend({ sums, test }: LegendProps) {
  const { formats } = useFrame();
  return (
    <ul class="legend">
      {sums.map(({ part, messages }) => (
        <li key={part} class={partNames[part].colour}>
          <span>
            {formats.count(messages)} {partNames[part].long}
            {(part === 'passed' || part === 'failed') && ` ${test}`}
          </span>
        </li>
      ))}
    </ul>
  );
}
