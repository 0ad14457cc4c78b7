/** `unknown`: the address has a record, but was never scored. */
export type AbuseStatus = 'clean' | 'suspicious' | 'malicious' | 'unknown';

/** The score of an address that was never scored. */
export const NEVER_SCORED = -1;
export const SUSPICIOUS_FROM = 25;
export const MALICIOUS_FROM = 75;

/** (rules, reputation/abuse-status) */
export function abuseStatusOf(score: number): AbuseStatus {
  if (score < 0) return 'unknown';
  if (score < SUSPICIOUS_FROM) return 'clean';
  return score < MALICIOUS_FROM ? 'suspicious' : 'malicious';
}
