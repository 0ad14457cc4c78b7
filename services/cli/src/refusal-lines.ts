import type { IngestSummary } from '@dmarc-ledger/standalone-service/ingest';
import { printableText } from '@dmarc-ledger/vocabulary';

const SHOWN = 20;

/** The first refusals of an import, for people: which file, and why. */
export function refusalLines(refusals: IngestSummary['refusals']): string[] {
  const lines = refusals
    .slice(0, SHOWN)
    .map(({ source, code, message }) => `refused  ${printableText(source)}: ${code}: ${printableText(message)}`);
  return refusals.length > SHOWN ? [...lines, `… and ${refusals.length - SHOWN} more; --json lists all`] : lines;
}
