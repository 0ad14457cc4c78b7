import type { InstallationFinding } from '@dmarc-ledger/schema';

/** The finding about one part of an installation, and how to repair it; `mend` is null if nothing needs repair. */
export type Finding = InstallationFinding;

export function ok(check: string, says: string): Finding {
  return { check, state: 'ok', says, mend: null };
}

export function warning(check: string, says: string, mend: string): Finding {
  return { check, state: 'warning', says, mend };
}

export function error(check: string, says: string, mend: string): Finding {
  return { check, state: 'error', says, mend };
}
