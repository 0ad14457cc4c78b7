import type { MessageDetails, ReceivedMessage } from '@dmarc-ledger/ledger';
import { printableText } from '@dmarc-ledger/vocabulary';

/** The outcome of an import. Each delivery is in one of stored, duplicates and refused. */
export interface IngestSummary {
  received: number;
  stored: number;
  duplicates: number;
  refused: number;
  warnings: number;
  /** Aggregate reports, and their records. */
  reports: number;
  records: number;
  /** Reports of the other kinds. */
  tlsrpt: number;
  aprf: number;
  ruf: number;
  refusals: Refused[];
}

export interface Refused {
  source: string;
  code: string;
  message: string;
}

/** A delivery that is received and not finished yet. */
export interface Pending extends ReceivedMessage {
  /** Where it was found this time. */
  name: string;
}

export function noSummary(): IngestSummary {
  const kinds = { reports: 0, records: 0, tlsrpt: 0, aprf: 0, ruf: 0 };
  return { received: 0, stored: 0, duplicates: 0, refused: 0, warnings: 0, ...kinds, refusals: [] };
}

/** Adds a finished delivery to the summary, and passes on the refusals in it. */
export function addFinished(
  summary: IngestSummary,
  { name, fresh }: Pending,
  details: Pick<MessageDetails, 'state' | 'name' | 'parts'>,
  onRefusal: (refusal: Refused) => void,
): void {
  for (const { outcome, path, code, message } of details.parts) {
    if (outcome === 'refused')
      onRefusal({ source: placeOf(name, path, details.name), code: code ?? '', message: message ?? '' });
  }
  if (details.state === 'refused' || details.state === 'quarantined') {
    summary.refused += 1;
  } else if (details.state === 'duplicate' || !fresh) {
    summary.duplicates += 1;
  } else {
    summary.stored += 1;
    for (const { outcome, kind, reports, warnings } of details.parts) {
      if (outcome !== 'stored') continue;
      if (kind !== null) summary[kind === 'rua' ? 'reports' : kind] += reports.length;
      summary.records += reports.reduce((sum, { records }) => sum + records, 0);
      summary.warnings += warnings.length;
    }
  }
}

/**
 * A delivery and the document inside it. The path of the document begins with the name under which these bytes came
 * first, which is another one when they come again.
 */
function placeOf(name: string, path: string, firstName: string | null): string {
  const first = printableText(firstName?.split(/[\\/]/).at(-1) ?? '', 80); // as paths spell it
  const inside = path === first ? '' : first && path.startsWith(`${first}/`) ? path.slice(first.length + 1) : path;
  return inside === '' || name.endsWith(inside) ? name : `${name}: ${inside}`;
}
