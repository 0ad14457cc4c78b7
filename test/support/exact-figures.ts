import { getAll, getJson } from './api.ts';

/** What an API answers about all mail that it has ever counted, whatever day it is asked on. */
export interface ExactFigures {
  statistics: unknown;
  range: unknown;
  /** Every report with its sums, by id. */
  reports: unknown[];
  /** Some of them with their records: a key may ask 100 times a minute or so. */
  records: unknown[];
}

const WITH_RECORDS = 30;

/** Asks v1 for every report, for the records of some, and for the sums of all. */
export async function exactFigures(apiUrl: string, key: string): Promise<ExactFigures> {
  const v1 = `${apiUrl}/v1`;
  const reports = await getAll(`${v1}/reports`, key, 'reports');
  reports.sort((one, other) => (one.id < other.id ? -1 : 1));
  const step = Math.ceil(reports.length / WITH_RECORDS);
  const records: unknown[] = [];
  for (let at = 0; at < reports.length; at += step) records.push(await getJson(`${v1}/reports/${reports[at].id}`, key));
  return {
    statistics: await getJson(`${v1}/statistics`, key),
    range: await getJson(`${v1}/reports/date-range`, key),
    reports,
    records,
  };
}

/** The paths whose values a later answer changed or no longer has. Fields that were added are no difference. */
export function lostValues(before: unknown, after: unknown, path = ''): string[] {
  if (Array.isArray(before) && Array.isArray(after) && before.length !== after.length)
    return [`${path}: ${before.length} entries, then ${after.length}`];
  if (before === null || typeof before !== 'object')
    return Object.is(before, after) ? [] : [`${path}: ${JSON.stringify(before)}, then ${JSON.stringify(after)}`];
  const later: { [name: string]: unknown } = Object(after);
  return Object.entries(before).flatMap(([name, value]) => lostValues(value, later[name], `${path}/${name}`));
}
