import { counted, groupedDigits, printableText } from '@dmarc-ledger/vocabulary';
import type { ConfidenceLevel } from './confidence-level.ts';

interface Interval {
  level: Exclude<ConfidenceLevel, 'unknown'>;
  seen: number;
  lowest: number;
  highest: number;
}

/** Every sentence about how much the figures show; grammatical for any number. */
export const coverageTexts = {
  confidence: ({ level, seen, lowest, highest }: Interval) =>
    `${LEVELS[level]} confidence: the reports show ${percent(seen)} of the expected mail, so the rate lies ` +
    `between ${percent(lowest)} and ${percent(highest)}.`,
  unwatched: () =>
    'The confidence is not known: most of this mail comes from reporters whose absence would not be noticed.',
  noMail: () => 'The confidence is not known: there is no mail to judge by.',
  /** About the days of a window that are due. */
  days: ({ missing, days }: { missing: number; days: number }) =>
    missing === 0
      ? 'No day is missing: every day on which reports were expected has some.'
      : `On ${counted(missing, 'day')} of ${groupedDigits(days)} no report came although some were expected: ` +
        'check the mailbox and the rua address of the record.',
  silent: ({ name, isLarge, days, messages, share }: SilentFacts) =>
    `${isLarge ? 'The large reporter' : 'The reporter'} ${printableText(name, 80) || 'without a name'} has fallen ` +
    `silent: no report about the last ${counted(days, 'day')} on which others reported. It used to bring ` +
    `${counted(messages, 'message')} a day, ` +
    `${percent(share)} of the mail.`,
  doubtful: ({ messages, share }: { messages: number; share: number }) =>
    messages === 0
      ? 'No mail is from reports that may be forged or that contradict another copy.'
      : `${percent(share)} of the mail, ${counted(messages, 'message')}, ${messages === 1 ? 'is' : 'are'} from ` +
        'reports that may be forged or that contradict another copy.',
  dropped: ({ records }: { records: number }) =>
    records === 0
      ? 'No record was dropped.'
      : `At most ${counted(records, 'record')} ${records === 1 ? 'was' : 'were'} dropped, because their count or ` +
        'address could not be read.',
  unproven: ({ messages, share }: { messages: number; share: number }) =>
    `${percent(share)} of the mail, ${counted(messages, 'message')}, ${messages === 1 ? 'rests' : 'rest'} on imports ` +
    'alone: what the reporters sent is not kept.',
} as const;

interface SilentFacts {
  name: string;
  isLarge: boolean;
  days: number;
  messages: number;
  /** A percentage. */
  share: number;
}

const LEVELS = { high: 'High', medium: 'Medium', low: 'Low' } as const;

/** Rounds as the pages do: by decimal digits, where `toFixed` rounds the binary number. */
const percents = new Intl.NumberFormat('en', { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** Only all and nothing are written as 100 and 0. */
function percent(value: number): string {
  if (value === 0 || value === 100) return `${value} %`;
  return `${percents.format(Math.min(99.9, Math.max(0.1, value)))} %`;
}
