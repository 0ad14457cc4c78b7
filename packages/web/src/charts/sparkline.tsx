import { useFrame } from '../page/frame.ts';

const WIDTH = 60;
const HEIGHT = 16;
/** Above and below the line, so that its ends are not cut off. */
const MARGIN = 2;
const FULL = 100;

/** Rates in percent, oldest first, as a line with a gap where one is missing; a rate between two gaps is a dot. */
export function Sparkline({ rates }: { rates: readonly (number | null)[] }) {
  const { formats } = useFrame();
  const known = rates.filter((rate) => rate !== null);
  const [first, last] = [known[0], known.at(-1)];
  if (first === undefined || last === undefined || known.length < 2) return null;
  const step = WIDTH / (rates.length - 1);
  const points = rates.map((rate, index) => {
    if (rate === null) return '';
    const y = MARGIN + ((HEIGHT - 2 * MARGIN) * (FULL - rate)) / FULL;
    const [isAfter, isBefore] = [typeof rates[index - 1] === 'number', typeof rates[index + 1] === 'number'];
    return `${isAfter ? 'L' : 'M'}${Math.round(index * step)} ${Math.round(y)}${isAfter || isBefore ? '' : 'h0'}`;
  });
  return (
    <svg
      class="spark"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={`from ${formats.percent(first)} to ${formats.percent(last)}`}
    >
      <path d={points.join('')} />
    </svg>
  );
}
