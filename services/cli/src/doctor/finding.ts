import { systemReason } from '@dmarc-ledger/standalone-service/installation';

/** The finding about one part of an installation, and how to repair it. */
export interface Finding {
  check: string;
  state: 'ok' | 'warning' | 'error';
  says: string;
  /** Null if nothing needs repair. */
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

/** The first line of an error's message. */
export function reasonOf(cause: unknown): string {
  const [line] = systemReason(cause).split('\n');
  return line || (cause instanceof Error ? cause.name : 'unknown');
}
