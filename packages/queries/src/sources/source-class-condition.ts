import { AUTHENTICATED_SHARE, type RecordClass } from '@dmarc-ledger/dmarc';
import { sql } from 'kysely';
import type { Condition } from '../lists/sorted-list.ts';

/** True if the sums of a row make its address one of this class, as `classifySource` decides. */
export function isOfClass(name: RecordClass): Condition {
  const { part, whole } = AUTHENTICATED_SHARE;
  return sql`case
    when list.messages = 0 then 'needs_review'
    when list.compliant::numeric * ${whole}::integer >= list.messages::numeric * ${part}::integer then 'authenticated'
    when list.suspicious >= list.needs_review and list.suspicious >= list.forwarded and list.suspicious > 0
      then 'suspicious'
    when list.needs_review >= list.forwarded then 'needs_review'
    else 'likely_forwarded' end = ${name}`;
}
