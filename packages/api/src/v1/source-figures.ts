import type { SourceRow } from '@dmarc-ledger/queries';
import { rate } from '@dmarc-ledger/vocabulary';
import { count, instant, percentage, text } from '../bodies/fields.ts';
import { instantOrNull } from './report-row.ts';

/** The fields that the list and the detail of a source share. */
export const sourceFigures = {
  source_ip: text('Sending address, in its canonical spelling (RFC 5952).'),
  source_ip_as_reported: text('As the newest report wrote it; absent where that is the same.').optional(),
  total_messages: count('Messages.'),
  pass_count: count('Messages that passed DMARC.'),
  fail_count: count('Messages that failed DMARC.'),
  spf_fail_count: count('Messages whose SPF gave no aligned pass; they may have passed by DKIM.'),
  dkim_fail_count: count('Messages whose DKIM gave no aligned pass; they may have passed by SPF.'),
  compliance_rate: percentage('Share of messages that passed DMARC.'),
  first_seen: instant('Begin of the earliest window that mentions it.').nullable(),
  last_seen: instant('End of the latest window that mentions it.').nullable(),
};

export const serviceFields = {
  service_name: text('Recognised sending service.').optional(),
  service_icon: text('Icon slug of the service.').optional(),
  service_slug: text('Slug of the service.').optional(),
};

export function toSourceFigures(row: SourceRow) {
  return {
    source_ip: row.source_ip,
    ...(typeof row.source_text === 'string' && { source_ip_as_reported: row.source_text }),
    total_messages: row.messages,
    pass_count: row.compliant,
    fail_count: row.messages - row.compliant,
    spf_fail_count: row.messages - row.spf_pass,
    dkim_fail_count: row.messages - row.dkim_pass,
    compliance_rate: rate(row.compliant, row.messages),
    first_seen: instantOrNull(row.first_seen),
    last_seen: instantOrNull(row.last_seen),
  };
}
