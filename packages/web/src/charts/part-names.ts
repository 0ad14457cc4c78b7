import type { SourceClass } from '../texts/classes.ts';
import type { BarPart } from './day-bars.ts';

interface PartName {
  /** In the words of a bar, behind a number. */
  short: string;
  /** In the legend, behind a number; of what passed or failed, a test follows. */
  long: string;
  /** As the head of a column. */
  head: string;
  colour: SourceClass;
}

export const partNames: { readonly [part in BarPart]: PartName } = {
  passed: { short: 'passed', long: 'passed', head: 'Passed', colour: 'authenticated' },
  failed: { short: 'failed', long: 'failed', head: 'Failed', colour: 'suspicious' },
  likely_forwarded: {
    short: 'likely forwarded',
    long: 'failed, likely forwarded',
    head: 'Failed, likely forwarded',
    colour: 'likely_forwarded',
  },
  needs_review: {
    short: 'to review',
    long: 'failed, to review',
    head: 'Failed, needs review',
    colour: 'needs_review',
  },
  suspicious: { short: 'suspicious', long: 'failed, suspicious', head: 'Failed, suspicious', colour: 'suspicious' },
};
