/** `unknown`: there is a record of the address, and it was never scored. */
export type AbuseStatus = 'clean' | 'suspicious' | 'malicious' | 'unknown';

/** What an address has whose record was never scored. */
export const NEVER_SCORED = -1;
export const SUSPICIOUS_FROM = 25;
export const MALICIOUS_FROM = 75;

/** (rules, reputation/abuse-status) */
export function abuseStatusOf(score: number): AbuseStatus {
  if (score < 0) return 'unknown';
  if (score < SUSPICIOUS_FROM) return 'clean';
  return score < MALICIOUS_FROM ? 'suspicious' : 'malicious';
}
