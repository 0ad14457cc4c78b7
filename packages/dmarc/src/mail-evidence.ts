/** What the mails that brought one copy of a report say about it. */
export interface MailEvidence {
  /** A mail passed as the reporter (true), one was checked and failed (false), or no mail was checked (null). */
  authenticated: boolean | null;
  /** The earliest receipt by mail; null for files and uploads. */
  mailReceivedAt: Date | null;
}

/**
 * Combines two results: one mail that passed as the reporter is enough; a failed one says more than none. (rules,
 * copies/choice-of-a-copy)
 */
export function strongest(a: boolean | null, b: boolean | null): boolean | null {
  return a === true || b === true ? true : (a ?? b);
}

/** True if a further mail improves the evidence for a copy: a stronger result, or an earlier receipt. */
export function isImproved(held: MailEvidence, by: MailEvidence): boolean {
  return (
    strongest(held.authenticated, by.authenticated) !== held.authenticated ||
    (by.mailReceivedAt !== null && (held.mailReceivedAt === null || by.mailReceivedAt < held.mailReceivedAt))
  );
}
