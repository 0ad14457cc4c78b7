import type { ConfidenceLevel } from './confidence-level.ts';
import { coverageTexts } from './coverage-texts.ts';

/** Messages that a rate is made of. */
export interface RateSums {
  messages: number;
  passed: number;
}

/** What the reports show of the expected mail, and what is not known of it. */
export interface Sight {
  /** Messages of reports that are beyond doubt, and those of them that passed. */
  sure: RateSums;
  /** Messages of reports that may be forged or that contradict another copy. */
  doubtful: number;
  /** An estimate of the messages in reports that were expected and are absent, and in dropped records. */
  unseen: number;
  /** True if most of the mail comes from reporters whose absence would be noticed. */
  isWatched: boolean;
}

/** How far a rate may be from that of all expected mail; percentages from 0 to 100. */
export interface Confidence {
  level: ConfidenceLevel;
  /** Of the expected messages, the share that was seen and is beyond doubt; null if nothing can be said. */
  seen: number | null;
  /** The rate lies between these; null if nothing can be said. */
  lowest: number | null;
  highest: number | null;
  text: string;
}

/** The widest interval of each level, in percentage points. (rules, coverage/confidence) */
export const WIDEST = { high: 1, medium: 10 };
/** The quantile of the normal distribution for an interval that holds 19 times out of 20. */
const Z = 1.96;

/** The confidence in the share of a domain's mail that passed DMARC. (rules, coverage/confidence) */
export function confidenceOf({ sure, doubtful, unseen, isWatched }: Sight): Confidence {
  const expected = sure.messages + doubtful + unseen;
  if (sure.messages + doubtful === 0 || !isWatched) return unknown(sure.messages + doubtful > 0);
  return judge(sure, sure.messages / expected);
}

/** The confidence in the rate of a part of the mail, such as that of one sender: as much of it is not seen. */
export function confidenceOfPart(part: RateSums, whole: Pick<Confidence, 'seen'>): Confidence {
  if (whole.seen === null || part.messages === 0) return unknown(part.messages > 0);
  return judge(part, whole.seen / 100);
}

/** Of the share that is not seen, all or nothing may have passed. */
function judge(sums: RateSums, seen: number): Confidence {
  const [low, high] = wilson(sums);
  const lowest = low * seen;
  const highest = high * seen + (1 - seen);
  const width = 100 * (highest - lowest);
  const level = width <= WIDEST.high ? 'high' : width <= WIDEST.medium ? 'medium' : 'low';
  const rounded = { seen: percent(seen), lowest: percent(lowest), highest: percent(highest) };
  return { level, ...rounded, text: coverageTexts.confidence({ level, ...rounded }) };
}

/** The interval of a share for so many messages: more messages, a narrower one. (Wilson 1927, score interval) */
function wilson({ messages, passed }: RateSums): [number, number] {
  if (messages === 0) return [0, 1];
  const share = passed / messages;
  const wide = (Z * Z) / messages;
  const middle = share + wide / 2;
  const half = Z * Math.sqrt((share * (1 - share) + wide / 4) / messages);
  // rounding must not put the share itself outside
  const low = Math.max(0, (middle - half) / (1 + wide));
  const high = Math.min(1, (middle + half) / (1 + wide));
  return [passed === 0 ? 0 : Math.min(low, share), passed === messages ? 1 : Math.max(high, share)];
}

function unknown(hasMail: boolean): Confidence {
  const text = hasMail ? coverageTexts.unwatched() : coverageTexts.noMail();
  return { level: 'unknown', seen: null, lowest: null, highest: null, text };
}

/** Two decimals. */
function percent(share: number): number {
  return Math.round(share * 10_000) / 100;
}
