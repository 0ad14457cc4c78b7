import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { fileSource } from '@dmarc-ledger/unpack';
import { takeDelivery } from '@dmarc-ledger/testkit/hostile-inputs';
import { describe, expect, it } from 'vitest';
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

const root = new URL('../../../../shared/corpus/', import.meta.url);
const list = new URL('expected.json', root);
const expected: { [file: string]: { reports: Expected[] } } = existsSync(list)
  ? JSON.parse(readFileSync(list, 'utf8'))
  : {};
const files = Object.keys(expected).filter((file) => file.startsWith('tlsrpt/'));

describe.runIf(files.length > 0)('real reports', () => {
  it.each(files)('reads %s', async (file) => {
    const taken = await takeDelivery(await fileSource(fileURLToPath(new URL(encodeURI(file), root))), file, read);
    expect(taken).toMatchObject({ refusals: [] });
    expect(taken.reports.map(figures)).toEqual(expected[file]!.reports.map(wanted));
  });
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
