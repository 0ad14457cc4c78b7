import { HttpProblem } from '@dmarc-ledger/vocabulary';

/** Throws 429 when an organization has had too much tried lately: servers connected to, deliveries read again. */
export function requireConnection(isAdmitted: boolean): void {
  if (isAdmitted) return;
  const error = 'Too many tries. Wait 15 minutes';
  throw new HttpProblem('too_many_connections', { status: 429, error });
}
