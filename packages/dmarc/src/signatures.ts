import type { RecordAlignment } from './alignment.ts';
import type { DkimResult, ReportRecord } from './report.ts';

/** A DKIM key as a signature names it, in lower case. The selector is empty where the reporter does not name it. */
export interface Signature {
  signer: string;
  selector: string;
}

/** True if an aligned pass of the signature is on record for the domain in the 90 days up to the report's day. */
export type HasPassed = (signature: Signature) => boolean;

const BROKEN = new Set<DkimResult['result']>(['fail', 'neutral', 'policy', 'permerror', 'temperror']);

/** The aligned signatures of a record that passed, each as often as the record has it. */
export function passedSignatures(record: ReportRecord, alignment: RecordAlignment): Signature[] {
  return alignedSignatures(record, alignment, ({ result }) => result === 'pass');
}

/** The aligned signatures that did not pass. (rules, classification/signatures-that-have-passed) */
export function brokenSignatures(record: ReportRecord, alignment: RecordAlignment): Signature[] {
  return alignedSignatures(record, alignment, ({ result }) => BROKEN.has(result));
}

function alignedSignatures(
  { authResults: { dkim } }: ReportRecord,
  alignment: RecordAlignment,
  isWanted: (result: DkimResult) => boolean,
): Signature[] {
  return (dkim ?? []).flatMap((result, i) =>
    alignment.dkim?.[i] && result.domain && isWanted(result)
      ? [{ signer: result.domain, selector: result.selector?.trim().toLowerCase() ?? '' }]
      : [],
  );
}
