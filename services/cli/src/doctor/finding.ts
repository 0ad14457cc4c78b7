import { systemReason } from '@dmarc-ledger/standalone-service/installation';

export { error, ok, warning, type Finding } from '@dmarc-ledger/pipeline';

/** The first line of an error's message. */
export function reasonOf(cause: unknown): string {
  const [line] = systemReason(cause).split('\n');
  return line || (cause instanceof Error ? cause.name : 'unknown');
}
