import { hash } from 'node:crypto';
import type { CopyOrigin, OtherCopy, OtherReport } from '@dmarc-ledger/ledger';
import { newId } from '@dmarc-ledger/vocabulary';
import type { OtherReading } from './read-other.ts';

export function makeOtherCopy(reading: OtherReading, origin: CopyOrigin): OtherCopy {
  return { ...reading, id: newId(), identity: otherIdentity(reading, origin.payloadSha256), origin };
}

/**
 * What makes two documents the same report. TLS reports: reporter, report id (the content, without one) and window.
 * Placement reports: everything that their figures cover. A failure report has no id: two are the same when their
 * content is.
 */
function otherIdentity({ kind, report }: OtherReport, payloadSha256: Buffer): Buffer {
  if (kind === 'ruf') return payloadSha256;
  const parts =
    kind === 'tlsrpt'
      ? [
          (report.reporterName ?? report.contact?.split('@').at(-1) ?? '').toLowerCase(),
          report.reportId ?? payloadSha256.toString('hex'),
          report.begin,
          report.end,
        ]
      : [report.source, report.dkimDomain, report.dkimSelector, report.day, report.version, report.sdiUsed];
  return hash('sha256', JSON.stringify(parts), 'buffer');
}
