import type { Comparison, Spread } from './rounds.ts';
import { sumOf, type Cost } from './cpu.ts';

/** One line of the table: what was measured, and what it is to reach, if anything. */
export interface Row {
  name: string;
  /** What is behind the measure, in words. */
  detail: string;
  unit: '×' | 'records/s' | 'MiB' | 'µs/record' | 'µs/report' | 'addresses/s' | 'domains/s' | 'ms' | 's' | 'B/record';
  measured: Spread;
  target?: { atMost: number } | { atLeast: number };
}

/** A row of one measurement. */
export function singleRow({ value, ...rest }: Omit<Row, 'measured'> & { value: number }): Row {
  return { ...rest, measured: { median: value, min: value, max: value } };
}

export type Verdict = 'yes' | 'doubtful' | 'no' | '';

/** A target is missed when the best round misses it, and doubtful when only the median does. */
export function verdictOf({ measured, target }: Row): Verdict {
  if (!target) return '';
  const isWithin = (value: number) => ('atMost' in target ? value <= target.atMost : value >= target.atLeast);
  const best = 'atMost' in target ? measured.min : measured.max;
  if (isWithin(measured.median)) return 'yes';
  return isWithin(best) ? 'doubtful' : 'no';
}

/** The product's cost and its floor, for each unit of the set. */
export function ratioRow(
  name: string,
  { a, b, ratio }: Comparison,
  of: { unit: 'report' | 'record'; count: number },
  atMost: number,
): Row {
  return {
    name,
    detail: `${costText(a, of)}; floor ${costText(b, of)}`,
    unit: '×',
    measured: ratio,
    target: { atMost },
  };
}

export function costText(cost: Cost, { unit, count }: { unit: string; count: number }): string {
  const each = (seconds: number) => digits((seconds * 1e6) / count);
  return `${each(sumOf(cost))} µs/${unit} (${each(cost.client)} + ${each(cost.server)} server)`;
}

/** Three digits that say something. */
export function digits(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString('en-US');
  return value.toPrecision(3);
}
