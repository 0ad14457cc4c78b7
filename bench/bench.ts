import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { makeSet, type ReportSet, type Shape } from './corpus.ts';
import type { Lab } from './lab.ts';
import { PERIOD_DAYS, PERIODS } from './multiply.ts';
import type { Options } from './options.ts';
import type { Row } from './row.ts';

/** What every section works with. */
export interface Bench {
  lab: Lab;
  options: Options;
  /** A set of reports, generated at its first use. Another series has other reports of the same shape. */
  set: (name: SetName, series?: number) => Promise<ReportSet>;
  log: (line: string) => void;
}

/** Measures one thing and gives its lines of the table. */
export type Section = (bench: Bench) => Promise<Row[]>;

export type SetName = keyof typeof SHAPES;

const SERIES_APART = 1_000_000;

const SHAPES = {
  small: { full: { reports: 2_000, records: 'few' }, quick: { reports: 400, records: 'few' } },
  mid: { full: { reports: 20, records: 2_000 }, quick: { reports: 4, records: 2_000 } },
  large: { full: { reports: 1, records: 60_000 }, quick: { reports: 1, records: 12_000 } },
  many: { full: { reports: 5_000, records: 'few' }, quick: { reports: 800, records: 'few' } },
  middle: { full: { reports: 50, records: 2_000 }, quick: { reports: 8, records: 2_000 } },
  huge: { full: { reports: 2, records: 60_000 }, quick: { reports: 1, records: 15_000 } },
  load: { full: { reports: 20_000, records: 50 }, quick: { reports: 400, records: 50 } },
  million: { full: { reports: 1, records: 1_000_000 }, quick: { reports: 1, records: 100_000 } },
  estate: {
    full: { reports: 10_000, records: 'few', domains: 500 },
    quick: { reports: 1_000, records: 'few', domains: 500 },
  },
  period: { full: periodOf(yearRecords({ isQuick: false })), quick: periodOf(yearRecords({ isQuick: true })) },
} satisfies Record<string, { full: Shape; quick: Shape }>;

export function openBench(lab: Lab, options: Options, log: (line: string) => void): Bench {
  const folder = join(lab.folder, 'sets');
  mkdirSync(folder);
  const made = new Map<string, Promise<ReportSet>>();
  const make = async (name: SetName, series: number) => {
    const set = await makeSet(
      folder,
      series === 0 ? name : `${name}-${series}`,
      options.seed + Object.keys(SHAPES).indexOf(name) + series * SERIES_APART,
      SHAPES[name][options.isQuick ? 'quick' : 'full'],
    );
    const { reports, records, messages, sources } = set.totals;
    log(`set ${set.name}: ${reports} reports, ${records} records, ${messages} messages from ${sources} addresses`);
    return set;
  };
  return {
    lab,
    options,
    log,
    async set(name, series = 0) {
      const key = `${name} ${series}`;
      const known = made.get(key) ?? make(name, series);
      made.set(key, known);
      return await known;
    },
  };
}

/** Records of the ledger that the section `reads` fills. */
export function yearRecords({ isQuick }: Pick<Options, 'isQuick'>): number {
  const records = Number(process.env['READ_RECORDS'] ?? 10_000_000);
  return isQuick ? records / 100 : records;
}

/** What the product takes in of a year: the other periods repeat it. A third of the addresses is never drawn. */
function periodOf(records: number): Shape {
  return {
    reports: Math.round(records / 10 / PERIODS),
    records: 10,
    domains: 200,
    addresses: Math.round(records / 30),
    days: PERIOD_DAYS,
    hasLongIds: true,
  };
}
