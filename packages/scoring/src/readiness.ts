/** The facts that decide whether figures are enough to advise a stricter policy. */
export interface ReadinessFacts {
  /** Messages in the scoring window. */
  messages: number;
  /** Days of the window with reports. */
  reportDays: number;
  /** True if the domain has one valid DMARC record, read from the DNS within a week. */
  hasValidRecord: boolean;
}

/** The least mail, and the fewest days with reports. */
export const FEWEST_TO_JUDGE = { messages: 100, days: 14 };

/**
 * True if there is enough mail, on enough days, and a record that can be changed, to advise a stricter policy. The
 * share of passing mail is judged apart. (rules, events/stricter-policy)
 */
export function isEnoughToJudge({ messages, reportDays, hasValidRecord }: ReadinessFacts): boolean {
  return hasValidRecord && messages >= FEWEST_TO_JUDGE.messages && reportDays >= FEWEST_TO_JUDGE.days;
}
