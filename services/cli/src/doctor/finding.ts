import { systemReason } from '@dmarc-ledger/standalone-service/installation';

/** What a check found about one part of an installation, and how to repair it. */
export interface Finding {
  check: string;
  state: 'ok' | 'warning' | 'error';
  says: string;
  /** Null where nothing is to be done. */
  mend: string | null;
}

export function ok(check: string, says: string): Finding {
  return { check, state: 'ok', says, mend: null };
}

export function warning(check: string, says: string, mend: string): Finding {
  return { check, state: 'warning', says, mend };
}

export function error(check: string, says: string, mend: string): Finding {
  return { check, state: 'error', says, mend };
}

/** The first line of what an error says. */
export function reasonOf(cause: unknown): string {
  const [line] = systemReason(cause).split('\n');
  return line || (cause instanceof Error ? cause.name : 'unknown');
}
