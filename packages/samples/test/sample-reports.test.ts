import { readReports, type ReportReading } from '@dmarc-ledger/rua';
import { sampleReports, type SampleFile } from '@dmarc-ledger/samples';
import { bufferSource, unpack } from '@dmarc-ledger/unpack';
import { startOfDay } from '@dmarc-ledger/vocabulary';
import { beforeAll, expect, it } from 'vitest';

const today = '2026-03-02';
const all = [...sampleReports({ today })];
const opened: { name: string; refused: string[]; reports: ReportReading[] }[] = [];

beforeAll(async () => {
  for (const file of all) opened.push(await open(file));
});

it('gives the same bytes for the same day, and others for another', () => {
  expect([...sampleReports({ today })]).toEqual(all);
  expect([...sampleReports({ today: '2026-03-03' })]).not.toEqual(all);
});

it('gives about a thousand reports of seven domains, each under a name of its own', () => {
  expect(all.length).toBeGreaterThan(1_000);
  expect(all.length).toBeLessThan(1_250);
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
  const domains = opened.flatMap(({ reports }) => reports.map(({ header }) => header.policyPublished.domain));
  expect([...new Set(domains)].toSorted()).toEqual([
    'aurora-books.example',
    'harbor-clinic.example',
    'lumen-labs.example',
    'news.tidewater.example',
    'northwind-parts.example',
    'old-brand.example',
    'tidewater.example',
  ]);
});

it('covers the sixty days before today, every one of them', () => {
  const begins = new Set(opened.flatMap(({ reports }) => reports.map(({ header }) => header.metadata.begin!)));
  expect(begins.size).toBe(60);
  expect(Math.max(...begins)).toBe(startOfDay('2026-03-01'));
});

it('can be opened, but for one file that is damaged', () => {
  const refused = opened.filter(({ refused: reasons }) => reasons.length > 0).map(({ name }) => name);
  expect(refused).toEqual([expect.stringContaining('damaged-')]);
  expect(opened.filter(({ reports }) => reports.length === 0).map(({ name }) => name)).toEqual(refused);
});

it('holds one report that comes twice', () => {
  const ids = opened.flatMap(({ reports }) =>
    reports.map(
      ({ header }) => `${header.metadata.reporterName} ${header.metadata.reportId} ${header.policyPublished.domain}`,
    ),
  );
  expect(ids.length - new Set(ids).size).toBe(1);
});

it('departs from the standard here and there, as reporters do', () => {
  const codes = new Set(
    opened.flatMap(({ reports }) => reports.flatMap(({ warnings }) => warnings.map(({ code }) => code))),
  );
  expect(codes.size).toBeGreaterThanOrEqual(3);
});

it('shows a trend that improves', () => {
  const share = (from: number, to: number) => {
    const some = opened
      .flatMap(({ reports }) => reports)
      .filter(({ header }) => {
        const day = 60 - (startOfDay(today) - header.metadata.begin!) / 86_400;
        return header.policyPublished.domain === 'tidewater.example' && day >= from && day < to;
      });
    const records = some.flatMap((report) => report.records);
    const passed = records.filter(({ policyEvaluated: { dkim, spf } }) => dkim === 'pass' || spf === 'pass');
    return sum(passed) / sum(records);
  };
  expect(share(50, 60)).toBeGreaterThan(share(0, 10));
});

async function open({ name, bytes }: SampleFile): Promise<(typeof opened)[number]> {
  const context = { receivedAt: startOfDay(today) };
  const reports: ReportReading[] = [];
  const refused: string[] = [];
  for await (const document of unpack(bufferSource(bytes), { name })) {
    if (document.kind === 'refused') {
      refused.push(document.code);
      continue;
    }
    try {
      const whole = await document.readWhole(1_000_000);
      for (const read of readReports(whole!.bytes, { ...context, name: document.name })) {
        if (read instanceof Error) refused.push(read.message);
        else reports.push({ ...read, warnings: [...whole!.warnings, ...read.warnings] });
      }
    } catch (error) {
      refused.push(String(error));
    }
  }
  return { name, refused, reports };
}

function sum(records: { count: number }[]): number {
  return records.reduce((total, { count }) => total + count, 0);
}
