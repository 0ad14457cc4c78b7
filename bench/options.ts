import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';

const SECTIONS = [
  'parse',
  'endToEnd',
  'start',
  'idle',
  'store',
  'backlog',
  'resend',
  'judge',
  'ingesters',
  'memory',
  'enrich',
  'silence',
  'domains',
  'load',
  'pages',
  'reads',
] as const;
export type SectionName = (typeof SECTIONS)[number];
/** What a whole run measures: filling ten million records takes as long as all of it. */
export const USUAL = SECTIONS.filter((section) => section !== 'reads');

export interface Options {
  only: SectionName[];
  rounds: number;
  seed: number;
  /** Small sets and one round: to see that all works, not to compare figures. */
  isQuick: boolean;
  /** Keep the run although it has not measured everything. */
  isKept: boolean;
}

const USAGE = `npm run bench -- [--only ${SECTIONS.join(',')}] [--rounds N] [--seed N] [--quick] [--keep]`;

export function readOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: 'string' },
      rounds: { type: 'string' },
      seed: { type: 'string' },
      quick: { type: 'boolean', default: false },
      keep: { type: 'boolean', default: false },
    },
  });
  return {
    only: values.only ? values.only.split(',').map(sectionOf) : USUAL,
    rounds: wholeNumber('rounds', values.rounds, values.quick ? 1 : 3),
    seed: wholeNumber('seed', values.seed, randomInt(1, 1_000_000)), // no tuning to one corpus
    isQuick: values.quick,
    isKept: values.keep,
  };
}

function sectionOf(name: string): SectionName {
  const found = SECTIONS.find((section) => section === name);
  if (!found) throw new Error(`There is no section ${name}. ${USAGE}`);
  return found;
}

function wholeNumber(name: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Error(`--${name} is a whole number from 1. ${USAGE}`);
  return Number(text);
}
