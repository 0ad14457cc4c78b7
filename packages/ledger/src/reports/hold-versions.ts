import type { Session } from '@dmarc-ledger/schema';
import { holdVersions as holdStatement } from './judge-statements.ts';

/** A report, and which of its sets of records is meant: the number grows when others come to count in their place. */
export interface ReportVersion {
  id: string;
  version: number;
}

/**
 * Of these reports, the ids of those that still count the records meant. Until the transaction ends no other records
 * come to count in their place, and none is deleted: what is judged of these records is written on these records.
 */
export async function holdVersions(
  session: Session,
  orgId: string,
  reports: readonly ReportVersion[],
): Promise<Set<string>> {
  if (reports.length === 0) return new Set();
  const versions = new Map(reports.map(({ id, version }) => [id, version]));
  const held = await session.run<{ id: string; version: number }>(holdStatement, [orgId, [...versions.keys()]]);
  return new Set(held.filter(({ id, version }) => versions.get(id) === version).map(({ id }) => id));
}
