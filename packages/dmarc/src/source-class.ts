import type { RecordClass } from './classification.ts';

/** The messages of a source, in total and by the class of its failing records. */
export interface SourceMessages {
  total: number;
  passed: number;
  suspicious: number;
  needsReview: number;
  forwarded: number;
}

/** If nine of ten messages pass, the source is the domain's own, whatever the rest is. */
export const AUTHENTICATED_SHARE = { part: 9, whole: 10 };

/**
 * Classifies a source: authenticated if nearly all messages pass, else the class with the most failing messages.
 * (rules, classification/class-of-a-source)
 */
export function classifySource({ total, passed, suspicious, needsReview, forwarded }: SourceMessages): RecordClass {
  if (total === 0) return 'needs_review';
  if (BigInt(passed) * BigInt(AUTHENTICATED_SHARE.whole) >= BigInt(total) * BigInt(AUTHENTICATED_SHARE.part))
    return 'authenticated';
  if (suspicious >= needsReview && suspicious >= forwarded && suspicious > 0) return 'suspicious';
  return needsReview >= forwarded ? 'needs_review' : 'likely_forwarded';
}
