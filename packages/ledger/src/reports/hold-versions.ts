import type { Session } from '@dmarc-ledger/schema';
import { holdVersions as holdStatement, renewVersions as renewStatement } from './judge-statements.ts';

/**
 * A report, and the version of its records: the version grows when other records replace them, or when what was judged
 * of them is void.
 */
export interface ReportVersion {
  id: string;
  version: number;
}

/**
 * Returns the ids of those reports that still have these versions. Their records are neither replaced nor deleted until
 * the transaction ends, so a judgement is written on the records that it was made of.
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

/**
 * Gives reports that still have these versions the next one, before their records are changed: what was judged of the
 * records as they were is written before this transaction, or not at all. Returns the new versions.
 */
export async function renewVersions(
  session: Session,
  orgId: string,
  reports: readonly ReportVersion[],
): Promise<Map<string, number>> {
  const known = JSON.stringify(reports.map(({ id, version }) => ({ id, version })));
  const renewed = await session.run<{ id: string; version: number }>(renewStatement, [orgId, known]);
  return new Map(renewed.map(({ id, version }) => [id, version]));
}
