import { type CopyOrigin, type Dimensions, type ReportCopy } from '@dmarc-ledger/ledger';
import {
  addRecord,
  countedReporter,
  noSums,
  reportDay,
  type ReportHeader,
  type ReportRecord,
  type ReportSums,
} from '@dmarc-ledger/dmarc';
import { newId, present, type Warning } from '@dmarc-ledger/vocabulary';
import { cutIdentity, reportIdentity } from './report-identity.ts';

/** The names in a report's header that have ids of their own. */
export async function placeHeaders(
  dimensions: Dimensions,
  orgId: string,
  headers: readonly ReportHeader[],
): Promise<(header: ReportHeader) => { domainId: string; reporterId: string }> {
  const [domains, reporters] = await Promise.all([
    dimensions.domainIds(
      orgId,
      headers.map(({ policyPublished }) => policyPublished.domain),
    ),
    dimensions.reporterIds(
      orgId,
      headers.map(({ metadata }) => countedReporter(metadata)),
    ),
  ]);
  return (header) => ({
    domainId: present(domains.get(header.policyPublished.domain)),
    reporterId: present(reporters.get(countedReporter(header.metadata).name)),
  });
}

/** A report as read, with what the ledger needs of it. */
export function makeCopy(
  read: { header: ReportHeader; sums: ReportSums; warnings: Warning[] },
  origin: CopyOrigin,
  place: { domainId: string; reporterId: string },
): ReportCopy {
  const { header, sums, warnings } = read;
  const day = reportDay(header.metadata, Math.floor(origin.receivedAt.getTime() / 1000));
  const names = { identity: reportIdentity(header), cutIdentity: cutIdentity(header) };
  return { id: newId(), ...names, header, day, ...place, sums, warnings, origin };
}

/** Passes batches of records on, and adds each record to the sums. */
export async function* summing(
  batches: AsyncIterable<readonly ReportRecord[]>,
  sums: ReportSums,
): AsyncGenerator<readonly ReportRecord[]> {
  for await (const batch of batches) {
    for (const record of batch) addRecord(sums, record);
    yield batch;
  }
}

/** The sums of these records. */
export function sumRecords(records: readonly ReportRecord[]): ReportSums {
  const sums = noSums();
  for (const record of records) addRecord(sums, record);
  return sums;
}
