import { scaleLinear } from 'd3-scale';
import { useFrame } from '../page/frame.ts';
import { type BarPart, type DayBar, barParts, sumParts } from './day-bars.ts';
import { DaysTable } from './days-table.tsx';
import { Legend } from './legend.tsx';
import { partNames } from './part-names.ts';

const WIDTH = 1000;
const HEIGHT = 240;
const LEFT = 56;
const BOTTOM = 22;
const TOP = 8;
const TICKS = 4;
const DAY_LABELS = 6;
/** Numbers from here on are too long for the axis. */
const LONG = 10_000;
/** The part of its day that a bar leaves free. */
const GAP = 0.15;

/** What a chart counts: one of it, and several. */
const UNITS = { messages: ['message', 'messages'], sessions: ['session', 'sessions'] } as const;

interface DaysChartProps {
  days: readonly DayBar[];
  label: string;
  /** What is counted. */
  unit?: keyof typeof UNITS;
  /** What it passed or failed. */
  test?: string;
}

/**
 * A bar for each day: what passed at the bottom, then what failed, by class. A table has the same figures. One bar is
 * reached by Tab, the others by arrow keys.
 */
export function DaysChart({ days, label, unit = 'messages', test = 'DMARC' }: DaysChartProps) {
  const { formats } = useFrame();
  const total = days.reduce((sum, { messages }) => sum + messages, 0);
  if (total === 0) return <p class="soft">No {unit} in this window.</p>;
  const y = scaleLinear()
    .domain([0, Math.max(1, ...days.map(({ messages }) => messages))])
    .nice(TICKS)
    .range([HEIGHT - BOTTOM, TOP]);
  const ticks = y.ticks(TICKS);
  const isLong = ticks.some((tick) => tick >= LONG);
  const step = (WIDTH - LEFT) / days.length;
  const sums = sumParts(days);
  const [one, several] = UNITS[unit];
  const words = ({ day, messages, parts }: DayBar) =>
    [
      `${formats.day(day)}: ${formats.counted(messages, one, several)}`,
      ...barParts.flatMap((part) => (parts[part] ? [`${formats.count(parts[part])} ${partNames[part].short}`] : [])),
    ].join(', ');
  return (
    <figure class="figure">
      <p class="soft small">
        {formats.day(days[0]!.day)} to {formats.day(days.at(-1)!.day)}: {formats.counted(total, one, several)}
      </p>
      <Legend sums={sums} test={test} />
      <svg class="chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="group" aria-label={label}>
        {ticks.map((tick) => (
          <g key={tick} aria-hidden="true">
            <line class="grid" x1={LEFT} x2={WIDTH} y1={y(tick)} y2={y(tick)} />
            <text x={LEFT - 6} y={y(tick) + 4} text-anchor="end">
              {isLong ? formats.short(tick) : formats.count(tick)}
            </text>
          </g>
        ))}
        {days.map((bar, index) => (
          <g key={bar.day} class="day" data-tip="" role="img" tabIndex={index === 0 ? 0 : -1} aria-label={words(bar)}>
            <Bar bar={bar} x={LEFT + index * step} step={step} y={y} />
          </g>
        ))}
        <DayLabels days={days} step={step} />
      </svg>
      <details>
        <summary>The same as a table</summary>
        <DaysTable days={days} unit={unit} sums={sums} />
      </details>
    </figure>
  );
}

interface BarProps {
  bar: DayBar;
  x: number;
  step: number;
  y: (messages: number) => number;
}

function Bar({ bar: { parts }, x, step, y }: BarProps) {
  const width = round(step * (1 - GAP));
  return (
    <>
      {stacked(parts).map(({ part, from, to }) => (
        <rect
          key={part}
          class={partNames[part].colour}
          x={round(x)}
          width={width}
          y={round(y(to))}
          height={round(y(from) - y(to))}
        />
      ))}
      <rect class="hit" x={round(x)} width={round(step)} y={TOP} height={HEIGHT - BOTTOM - TOP} />
    </>
  );
}

function stacked(parts: DayBar['parts']): { part: BarPart; from: number; to: number }[] {
  let top = 0;
  return barParts.flatMap((part) => {
    const from = top;
    top += parts[part] ?? 0;
    return top > from ? [{ part, from, to: top }] : [];
  });
}

function DayLabels({ days, step }: { days: readonly DayBar[]; step: number }) {
  const { formats } = useFrame();
  const every = Math.ceil(days.length / DAY_LABELS);
  return (
    <>
      {days.map(
        ({ day }, index) =>
          index % every === 0 && (
            <text key={day} class="date" x={round(LEFT + index * step)} y={HEIGHT - 6} aria-hidden="true">
              {formats.shortDay(day)}
            </text>
          ),
      )}
    </>
  );
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
