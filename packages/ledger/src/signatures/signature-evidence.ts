import {
  brokenSignatures,
  type HasPassed,
  type RecordAlignment,
  type ReportRecord,
  type Signature,
} from '@dmarc-ledger/dmarc';
import type { Db } from '@dmarc-ledger/schema';
import type { Day } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';
import { EVIDENCE_DAYS } from './signature-statements.ts';

/** A record whose broken signatures may be evidence. */
export interface SignedRecord {
  /** Undefined for a domain without stored reports. */
  domainId: string | undefined;
  /** The day of its report. */
  day: Day;
  record: ReportRecord;
  alignment: RecordAlignment;
}

/** Answers for the broken signatures of the records that it was loaded for. */
export interface SignatureEvidence {
  of(record: SignedRecord): HasPassed;
}

/**
 * Finds which broken signatures of these records have passed before, in one statement: an aligned pass of the same
 * signer and selector in the 90 days up to the report's day, or of any signature where the reporter names no selector.
 * (rules, classification/signatures-that-have-passed)
 *
 * To be called while the records' reports are locked (`holdVersions`) when classes are saved by the answers: a selector
 * that becomes evidence after the call has these reports judged again, which waits for the locks (`classifyAgain`).
 */
export async function findSignatureEvidence(
  db: Db,
  orgId: string,
  records: readonly SignedRecord[],
): Promise<SignatureEvidence> {
  const asked = new Map(
    records.flatMap((one) =>
      brokenSignatures(one.record, one.alignment).map((signature) => {
        const { signer, selector } = keyOf(signature);
        const key = { domain_id: one.domainId, signer, selector, day: one.day };
        return [textOf(one, signature), key] as const;
      }),
    ),
  );
  if (asked.size === 0) return { of: () => () => false };
  const keys = JSON.stringify([...asked].map(([text, key]) => ({ text, ...key })));
  const { rows } = await sql<{ text: string }>`
    select k.text from json_to_recordset(${keys}::json) as k (text text, domain_id uuid, signer text, selector text,
      day date)
    where exists (
      select from dkim_pass p where p.org_id = ${orgId} and p.domain_id = k.domain_id and p.signer = k.signer
        and p.selector = k.selector and p.day between k.day - ${EVIDENCE_DAYS}::integer and k.day)`.execute(db);
  const passed = new Set(rows.map(({ text }) => text));
  return { of: (one) => (signature) => passed.has(textOf(one, signature)) };
}

function keyOf({ signer, selector }: Signature): Signature {
  return selector === '' ? { signer: '', selector } : { signer, selector };
}

function textOf({ domainId, day }: SignedRecord, signature: Signature): string {
  const { signer, selector } = keyOf(signature);
  return [domainId, day, signer, selector].join(' ');
}
