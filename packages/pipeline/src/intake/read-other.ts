import { AprfError, isAprf, readAprf } from '@dmarc-ledger/aprf';
import type { OtherReport } from '@dmarc-ledger/ledger';
import { FailureReportError, readFailureReport } from '@dmarc-ledger/ruf';
import { isTlsReport, readTlsReport } from '@dmarc-ledger/tlsrpt';
import { JsonError, parseJson, type Json, type Refusal, type Warning } from '@dmarc-ledger/vocabulary';

/** A parsed report that is not an aggregate report. */
export type OtherReading = OtherReport & { warnings: Warning[] };

export interface OtherOutcome {
  others: OtherReading[];
  refusals: Refusal[];
}

interface Context {
  receivedAt: number;
}

/** The fields of a failure report: one report. */
export function readFields(bytes: Buffer, context: Context): OtherOutcome {
  try {
    const report = readFailureReport(bytes, context);
    return { others: [{ kind: 'ruf', report, warnings: report.warnings }], refusals: [] };
  } catch (error) {
    if (error instanceof FailureReportError) return refused(error);
    throw error;
  }
}

/** The shape of the JSON shows the kind of the report. */
export function readJson(bytes: Buffer, context: Context): OtherOutcome {
  try {
    const { value, warnings } = parseJson(bytes);
    const { others, refusals } = readValue(value, context);
    return { others: others.map((other) => ({ ...other, warnings: [...warnings, ...other.warnings] })), refusals };
  } catch (error) {
    if (error instanceof JsonError) return refused(error);
    throw error;
  }
}

function readValue(value: Json, context: Context): OtherOutcome {
  if (isAprf(value)) return readPlacement(value, context);
  if (!isTlsReport(value))
    return refused({ code: 'not_a_report', message: 'The JSON is not a report of a known kind.' });
  const report = readTlsReport(value, context);
  return { others: [{ kind: 'tlsrpt', report, warnings: report.warnings }], refusals: [] };
}

function readPlacement(value: Json, context: Context): OtherOutcome {
  try {
    const outcomes = readAprf(value, context);
    const reports = outcomes.flatMap((outcome) => (outcome instanceof AprfError ? [] : [outcome]));
    const errors = outcomes.flatMap((outcome) => (outcome instanceof AprfError ? [outcome] : []));
    return {
      others: reports.map((report) => ({ kind: 'aprf', report, warnings: report.warnings })),
      refusals: errors.flatMap((error) => refused(error).refusals),
    };
  } catch (error) {
    if (error instanceof AprfError) return refused(error);
    throw error;
  }
}

function refused({ code, message }: Refusal): OtherOutcome {
  return { others: [], refusals: [{ code, message }] };
}
