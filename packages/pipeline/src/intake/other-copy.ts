import { hash } from 'node:crypto';
import type { CopyOrigin, OtherCopy, OtherReport } from '@dmarc-ledger/ledger';
import { newId } from '@dmarc-ledger/vocabulary';
import { contactDomain } from './other-reporter.ts';
import type { OtherReading } from './read-other.ts';

export function makeOtherCopy(reading: OtherReading, origin: CopyOrigin): OtherCopy {
  const { payloadSha256 } = origin;
  const copy = { ...reading, id: newId(), origin };
  if (reading.kind === 'ruf') return { ...copy, identity: payloadSha256, formerIdentity: null };
  const parts = identityParts(reading, payloadSha256);
  const identity = hashOf([...parts, contactDomain(reading.report.contact)]);
  return { ...copy, identity, formerIdentity: hashOf(parts) };
}

/**
 * What makes two documents the same report, with the domain of the contact address: a report of another reporter is
 * another report. TLS reports: name, report id (the content, without one) and window. Placement reports: everything
 * that their figures cover. A failure report has no id: two are the same when their content is. (rules,
 * other-reports/copies)
 */
function identityParts({ kind, report }: Exclude<OtherReport, { kind: 'ruf' }>, payloadSha256: Buffer): unknown[] {
  if (kind === 'aprf')
    return [report.source, report.dkimDomain, report.dkimSelector, report.day, report.version, report.sdiUsed];
  const name = report.reporterName ?? report.contact?.split('@').at(-1) ?? '';
  return [name.toLowerCase(), report.reportId ?? payloadSha256.toString('hex'), report.begin, report.end];
}

function hashOf(parts: readonly unknown[]): Buffer {
  return hash('sha256', JSON.stringify(parts), 'buffer');
}
