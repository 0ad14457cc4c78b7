import { fileSource } from '@dmarc-ledger/unpack';
import { takeDelivery } from '@dmarc-ledger/testkit/hostile-inputs';
import { outsideReports } from '@dmarc-ledger/testkit/outside-corpus';
import { expect, it } from 'vitest';
import type { TlsReport } from '../src/index.ts';
import { read } from './read-delivery.ts';

interface Expected {
  begin: string;
  end: string;
  organization: string;
  contact: string | null;
  report_id: string;
  success: number;
  failure: number;
  policies: {
    type: string;
    domain: string | null;
    success: number;
    failure: number | null;
    failure_details: number;
    result_types: string[];
  }[];
}

const reports = outsideReports<{ reports: Expected[] }>('tlsrpt');
it('reads the real reports of the corpus outside as its oracle does', async ({ skip }) => {
  if (!reports) return skip('the corpus is not here');
  for (const [file, { path, expected }] of Object.entries(reports)) {
    const taken = await takeDelivery(await fileSource(path), file, read);
    expect({ file, ...taken }).toMatchObject({ file, refusals: [] });
    expect(taken.reports.map(figures)).toEqual(expected.reports.map(wanted));
  }
});

function figures({ reporterName, contact, reportId, begin, end, policies }: TlsReport): Expected {
  return {
    organization: reporterName ?? '',
    contact,
    report_id: reportId ?? '',
    begin: text(begin),
    end: text(end),
    success: policies.reduce((sum, { successes }) => sum + (successes ?? 0), 0),
    failure: policies.reduce((sum, { failures }) => sum + (failures ?? 0), 0),
    policies: policies.map(({ type, domain, successes, failures, details }) => ({
      type: type ?? '',
      domain,
      success: successes ?? 0,
      failure: failures,
      failure_details: details.length,
      result_types: [...new Set(details.map(({ resultType }) => resultType ?? ''))].toSorted(),
    })),
  };
}

function wanted(report: Expected): Expected {
  const { organization, contact, report_id, begin, end, success, failure, policies } = report;
  return {
    organization,
    contact,
    report_id,
    begin: begin.replace('Z', ''),
    end: end.replace('Z', ''),
    success,
    failure,
    policies,
  };
}

function text(seconds: number | null): string {
  return seconds === null ? '' : new Date(seconds * 1000).toISOString().slice(0, 19);
}
