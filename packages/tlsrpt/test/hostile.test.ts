import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { fileSource } from '@dmarc-ledger/unpack';
import { describe, expect, it } from 'vitest';
import { takeDelivery } from './take-delivery.ts';

interface Case {
  group: string;
  verdict: 'accept' | 'reject' | 'either';
  reports?: { organization: string; report_id: string; success: number; failure: number }[];
}

const directory = process.env['HOSTILE_DIRECTORY'];
const root = directory
  ? new URL(`file://${directory}/`)
  : new URL('../../../../shared/corpus/hostile/', import.meta.url);
const list = new URL('hostile_expected.json', root);
const all: { [file: string]: Case } = existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : {};
const cases = Object.entries(all).filter(([file, { group }]) => group === 'tlsrpt' && existsSync(new URL(file, root)));

describe.runIf(cases.length > 0)('hostile inputs', () => {
  it.each(cases)('%s', { timeout: 60_000 }, async (file, { verdict, reports }) => {
    const taken = await takeDelivery(await fileSource(fileURLToPath(new URL(file, root))), file);
    if (verdict === 'accept') expect(taken.refusals).toEqual([]);
    if (verdict === 'reject') expect(taken.reports).toEqual([]);
    expect(taken.reports.length + taken.refusals.length).toBeGreaterThan(0);
    if (taken.reports.length === 0 || !reports) return;
    expect(
      taken.reports.map(({ reporterName, reportId, policies: [policy] }) => ({
        organization: reporterName,
        report_id: reportId,
        success: policy?.successes,
        failure: policy?.failures,
      })),
    ).toEqual(
      reports.map(({ organization, report_id, success, failure }) => ({ organization, report_id, success, failure })),
    );
  });
});
