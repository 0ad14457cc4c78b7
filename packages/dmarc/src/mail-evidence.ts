/** What the mails that brought one copy of a report say about it. */
export interface MailEvidence {
  /** True if a mail passed as the reporter, null if one was not checked or the owner brought the copy, else false. */
  authenticated: boolean | null;
  /** The earliest receipt by mail; null for files and uploads. */
  mailReceivedAt: Date | null;
  /** True if it was rebuilt from what another tool kept. */
  isUnproven: boolean;
}

/**
 * Combines two results: the better one counts, because anybody can mail a known report again. (rules,
 * copies/mail-of-the-reporter)
 */
export function strongest(a: boolean | null, b: boolean | null): boolean | null {
  if (a === true || b === true) return true;
  return a === null || b === null ? null : false;
}

/** True if the first result proves less than the second. */
export function isWeaker(a: boolean | null, b: boolean | null): boolean {
  return a !== b && strongest(a, b) === b;
}

/**
 * True if a further delivery improves the evidence for a copy: a stronger result, an earlier receipt, or anything but
 * an import where only imports brought it. (rules, copies/unproven-copies)
 */
export function isImproved(held: MailEvidence, by: MailEvidence): boolean {
  if (held.isUnproven || by.isUnproven) return held.isUnproven && !by.isUnproven;
  return (
    strongest(held.authenticated, by.authenticated) !== held.authenticated ||
    (by.mailReceivedAt !== null && (held.mailReceivedAt === null || by.mailReceivedAt < held.mailReceivedAt))
  );
}
