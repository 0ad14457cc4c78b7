import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { makeSet, type ReportSet, type Shape } from './corpus.ts';
import type { Lab } from './lab.ts';
import type { Options } from './options.ts';
import type { Row } from './row.ts';

/** What every section works with. */
export interface Bench {
  lab: Lab;
  options: Options;
  /** A set of reports, generated at its first use. */
  set: (name: SetName) => Promise<ReportSet>;
  log: (line: string) => void;
}

/** Measures one thing and gives its lines of the table. */
export type Section = (bench: Bench) => Promise<Row[]>;

export type SetName = keyof typeof SHAPES;

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
} satisfies Record<string, { full: Shape; quick: Shape }>;

export function openBench(lab: Lab, options: Options, log: (line: string) => void): Bench {
  const folder = join(lab.folder, 'sets');
  mkdirSync(folder);
  const made = new Map<SetName, Promise<ReportSet>>();
  const make = async (name: SetName) => {
    const set = await makeSet(
      folder,
      name,
      options.seed + Object.keys(SHAPES).indexOf(name),
      SHAPES[name][options.isQuick ? 'quick' : 'full'],
    );
    const { reports, records, messages, sources } = set.totals;
    log(`set ${name}: ${reports} reports, ${records} records, ${messages} messages from ${sources} addresses`);
    return set;
  };
  return {
    lab,
    options,
    log,
    async set(name) {
      const known = made.get(name) ?? make(name);
      made.set(name, known);
      return await known;
    },
  };
}
