import { printableText } from '@dmarc-ledger/vocabulary';
import { LONGEST_CELL } from '../print.ts';
import type { Finding } from './finding.ts';

const LONGEST = 1_000;

/** A line for each finding that says how to repair it, with what its cell of the table has no room for. */
export function adviceOf(findings: readonly Finding[]): string[] {
  return findings.flatMap(({ check, says, mend }) => {
    const isCut = says.length > LONGEST_CELL;
    const parts = [...(isCut ? [says.replace(/[^.]$/, '$&.')] : []), ...(mend ? [mend] : [])];
    return parts.length > 0 ? [`${check}: ${printableText(parts.join(' '), LONGEST)}`] : [];
  });
}
