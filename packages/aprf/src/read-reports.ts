import { isJsonObject, WarningList, type Json, type ReportArrival } from '@dmarc-ledger/vocabulary';
import { AprfError } from './errors.ts';
import { MAX_REPORTS } from './limits.ts';
import { readBody } from './read-body.ts';
import { readHeader } from './read-header.ts';
import type { AprfReport } from './report.ts';

/** Whether JSON is meant as placement reports: one, or a list of them. */
export function isAprf(json: Json): boolean {
  return itemsOf(json).some((item) => {
    const header = isJsonObject(item) ? item.get('header') : undefined;
    return isJsonObject(header) && header.has('dkim_domain');
  });
}

/**
 * The placement reports of a document (draft-brotman-aggregate-performance-reporting-00, 6), in order: each as read, or
 * why it is refused. Of reports with the same header the last one counts. (rules, other-reports/placement-reports)
 */
export function readAprf(json: Json, context: ReportArrival): (AprfReport | AprfError)[] {
  if (!isAprf(json)) throw new AprfError('not_a_report', 'the JSON is not a placement report');
  const items = itemsOf(json);
  if (items.length > MAX_REPORTS) throw new AprfError('too_many_reports', `more than ${MAX_REPORTS} reports`);
  const outcomes = items.map((item) => attempt(item, context));
  return withoutRepeated(outcomes);
}

function itemsOf(json: Json): readonly Json[] {
  return Array.isArray(json) ? json : [json];
}

function attempt(item: Json, context: ReportArrival): AprfReport | AprfError {
  try {
    return readReport(item, context);
  } catch (error) {
    if (error instanceof AprfError) return error;
    throw error;
  }
}

function readReport(item: Json, { receivedAt }: ReportArrival): AprfReport {
  const header = isJsonObject(item) ? item.get('header') : undefined;
  if (!isJsonObject(item) || !isJsonObject(header)) throw new AprfError('not_a_report', 'an entry has no header');
  const warnings = new WarningList();
  const facts = readHeader(header, receivedAt, warnings);
  const rows = readBody(item.get('body'), warnings);
  return { ...facts, rows, warnings: warnings.toArray() };
}

function withoutRepeated(outcomes: (AprfReport | AprfError)[]): (AprfReport | AprfError)[] {
  const last = new Map<string, AprfReport>();
  const repeated = new Set<string>();
  for (const outcome of outcomes) {
    if (outcome instanceof AprfError) continue;
    if (last.has(keyOf(outcome))) repeated.add(keyOf(outcome));
    last.set(keyOf(outcome), outcome);
  }
  return outcomes
    .filter((outcome) => outcome instanceof AprfError || last.get(keyOf(outcome)) === outcome)
    .map((outcome) => (outcome instanceof AprfError || !repeated.has(keyOf(outcome)) ? outcome : withWarning(outcome)));
}

function withWarning(report: AprfReport): AprfReport {
  return { ...report, warnings: [...report.warnings, { code: 'report_repeated', detail: null }] };
}

/** What makes two reports the same. */
function keyOf({ source, dkimDomain, dkimSelector, day, version, sdiUsed }: AprfReport): string {
  return JSON.stringify([source, dkimDomain, dkimSelector, day, version, sdiUsed]);
}
