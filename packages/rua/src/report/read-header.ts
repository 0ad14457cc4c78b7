import type { ReportHeader } from '@dmarc-ledger/dmarc';
import { ReportError } from '../errors.ts';
import type { Warn } from '../values/warn.ts';
import type { RawFeedback } from '../xml/raw-report.ts';
import { disagrees, type FileNameHint } from './file-name.ts';
import { readMetadata } from './read-metadata.ts';
import { readPolicy } from './read-policy.ts';

export interface HeaderContext {
  receivedAt: number;
  hint: FileNameHint | null;
  /** The domain to use when the report does not name one. */
  fallback: string | null;
  digest: () => string;
}

/**
 * All of a report but its records; refused without metadata, or without the domain it is about. (rules,
 * verdict/attribution)
 */
export function readHeader(
  feedback: RawFeedback,
  { receivedAt, hint, fallback, digest }: HeaderContext,
  warn: Warn,
): ReportHeader {
  if (!feedback.report_metadata) throw new ReportError('report_metadata_missing', 'the report has no metadata');
  const header: ReportHeader = {
    metadata: readMetadata(feedback.report_metadata, { version: feedback.version, receivedAt, digest }, warn),
    policyPublished: readPolicy(feedback.policy_published, fallback, warn),
  };
  if (hint && disagrees(hint, header)) warn('filename_disagrees');
  return header;
}

/** True when all that the header needs has been read. */
export function isHeaderKnown({ report_metadata, policy_published }: RawFeedback): boolean {
  return report_metadata !== null && policy_published !== null && (policy_published.domain?.trim() ?? '') !== '';
}
