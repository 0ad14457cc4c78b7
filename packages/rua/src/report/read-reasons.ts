import type { OverrideReason, ReasonType } from '@dmarc-ledger/dmarc';
import { MAX_STORED_REMARK } from '../limits.ts';
import { readEnum, words } from '../values/read-enum.ts';
import { cutText, readText } from '../values/read-text.ts';
import type { Warn } from '../values/warn.ts';
import type { RawReason } from '../xml/raw-report.ts';

const TYPES = words<ReasonType>([
  'local_policy',
  'mailing_list',
  'trusted_forwarder',
  'policy_test_mode',
  'other',
  'forwarded',
  'sampled_out',
]);
/** Words of RFC 7489 that RFC 9990 dropped; shown as sent. */
const LEGACY: ReadonlySet<ReasonType> = new Set(['forwarded', 'sampled_out']);

/**
 * Why a receiver departed from the policy (RFC 9990, 3.1.1.11; rules, reading-reports/dispositions-and-reasons), in its
 * order. Null when it gives no reason.
 */
export function readReasons(raw: readonly RawReason[] | null, rfc9990: boolean, warn: Warn): OverrideReason[] | null {
  if (!raw) return null;
  const reasons = raw.map((reason) => readReason(reason, rfc9990, warn)).filter((reason) => reason !== null);
  return reasons.length ? reasons : null;
}

function readReason(raw: RawReason, rfc9990: boolean, warn: Warn): OverrideReason | null {
  const comment = readText(raw.comment, 'comment', warn, MAX_STORED_REMARK);
  const word = readText(raw.type, 'type', warn) ?? readContent(raw, warn);
  if (word === null) {
    warn(comment === null ? 'reason_empty' : 'reason_type_missing');
    return comment === null ? null : { type: 'other', comment };
  }
  const type = readEnum(word, TYPES, warn);
  if (type === undefined) {
    warn('reason_type_unknown');
    return { type: 'other', comment: cutText(comment === null ? word : `${word}: ${comment}`, MAX_STORED_REMARK) };
  }
  if (rfc9990 && LEGACY.has(type)) warn('reason_type_legacy');
  return { type, comment };
}

/** `<reason>sampled_out</reason>`: the type as bare text. */
function readContent(raw: RawReason, warn: Warn): string | null {
  const content = readText(raw.content, 'reason', warn);
  if (content !== null) warn('reason_as_text');
  return content;
}
