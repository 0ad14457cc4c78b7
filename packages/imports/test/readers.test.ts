import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { readReports } from '@dmarc-ledger/rua';
import { afterEach, expect, it, vi } from 'vitest';
import { temporaryFolder } from '../../../test/support/folder.ts';
import { type Found, readParsedmarcFiles, reportXml } from '../src/index.ts';
import { joinDays } from '../src/join-days.ts';
import { documentRow } from '../src/parsedmarc/flat-rows.ts';
import { RowGroups } from '../src/parsedmarc/row-groups.ts';

const folder = join(import.meta.dirname, 'fixtures');
const files = (await readdir(folder)).filter((name) => !name.endsWith('.expected.json')).toSorted();

afterEach(() => {
  vi.unstubAllEnvs();
});

async function read(paths: readonly string[], zone = 'Europe/Berlin'): Promise<Found[]> {
  const all: Found[] = [];
  for await (const found of readParsedmarcFiles(paths, { zone })) all.push(found);
  return all;
}

const reportsOf = (found: readonly Found[]) => found.flatMap((one) => (one.kind === 'kept' ? one.report : []));

/** With WRITE_PAIRS set, a missing pair is written, to be read by a person. */
it.each(files)('%s is read as its pair says', async (name) => {
  const found = await read([join(folder, name)]);
  const pair = join(folder, `${name}.expected.json`);
  if (!existsSync(pair) && process.env['WRITE_PAIRS']) writeFileSync(pair, `${JSON.stringify(found, null, 2)}\n`);
  expect(JSON.parse(JSON.stringify(found))).toEqual(JSON.parse(readFileSync(pair, 'utf8')));
});

it('the XML of a rebuilt report has every fact that was kept, and no other', async () => {
  const reports = reportsOf(await read([join(folder, 'array.json'), join(folder, 'lines.ndjson')]));
  expect(reports).toHaveLength(5);
  for (const report of reports) {
    const [reading] = readReports(reportXml(report), { receivedAt: report.end });
    if (!reading || !('header' in reading)) throw new Error('The report is not read.');
    const { metadata, policyPublished } = reading.header;
    const { reporterName, email, reportId, begin, end } = report;
    expect(metadata).toMatchObject({ reporterName, email, reportId, begin, end });
    expect(policyPublished).toMatchObject({ domain: report.policy.domain, p: report.policy.p });
    const facts = ({ sourceIp, count }: { sourceIp: string; count: number }) => [sourceIp, count];
    expect(reading.records.map(facts)).toEqual(report.records.map(facts));
    expect(reading.records.map(({ authResults }) => authResults.dkim?.length ?? 0)).toEqual(
      report.records.map(({ dkimResults }) => dkimResults.length),
    );
    expect(reading.records.map(({ authResults }) => authResults.dkim?.[0]?.selector ?? null)).toEqual(
      report.records.map(({ dkimResults }) => dkimResults[0]?.selector ?? null),
    );
  }
});

it('files of many shapes give the same reports, also in gzip and from a folder', async () => {
  using temporary = temporaryFolder();
  const { path } = temporary;
  for (const name of ['elasticdump.ndjson', 'hits.json', 'bulk.ndjson', 'reports.csv'])
    writeFileSync(join(path, `${name}.gz`), gzipSync(readFileSync(join(folder, name))));
  for (const name of await readdir(path)) {
    const [first, second] = reportsOf(await read([join(path, name)]));
    expect([first?.records.length, second?.records.length]).toEqual([2, 2]);
    expect(second).toMatchObject({ begin: 1_767_268_800, end: 1_767_441_600 });
  }
  writeFileSync(join(path, 'note.txt'), 'no report');
  // two exports with ids are one; each of the others may be another copy
  const all = reportsOf(await read([path]));
  expect(all.map(({ records }) => records.length)).toEqual([2, 2, 2, 2, 2, 2]);
});

it('a damaged file is named, and the others in its folder are imported', async () => {
  using temporary = temporaryFolder();
  const { path } = temporary;
  const cut = (bytes: Buffer) => bytes.subarray(0, bytes.length * 0.7);
  const csv = readFileSync(join(folder, 'reports.csv'), 'utf8');
  const [header = '', ...rows] = csv.trim().split(/\r?\n/);
  const many = Array.from({ length: 5_000 }, (_, i) =>
    rows.map((row) => row.replaceAll('192.0.2.', `10.0.${i % 250}.`)),
  );
  writeFileSync(join(path, 'a.json.gz'), cut(gzipSync(readFileSync(join(folder, 'array.json')))));
  writeFileSync(join(path, 'b.csv.gz'), cut(gzipSync([header, ...many.flat()].join('\n'))));
  writeFileSync(join(path, 'c.json'), readFileSync(join(folder, 'array.json')));
  const found = await read([path]);
  const named = found.flatMap((one) => (one.kind === 'unreadable' ? `${one.name}: ${one.code}` : []));
  expect(named).toEqual(['a.json.gz: file_unreadable', 'b.csv.gz: file_unreadable']);
  expect(reportsOf(found).length).toBeGreaterThan(2);
});

it('a report is not imported in part where its file ends too early', async () => {
  using temporary = temporaryFolder();
  const [header = '', first = '', ...rest] = readFileSync(join(folder, 'reports.csv'), 'utf8').trim().split(/\r?\n/);
  const file = join(temporary.path, 'reports.csv');
  writeFileSync(file, [header, first, `"${'x'.repeat(2_000_000)}`, ...rest].join('\n'));
  expect(await read([file])).toEqual([{ kind: 'unreadable', name: 'reports.csv', code: 'not_csv' }]);
});

it('a report with very many equal records of several days is read in no time', () => {
  const record = { sourceIp: '192.0.2.1', count: 1, disposition: null, dkim: null, spf: null, reasons: [] };
  const kept = { ...record, headerFrom: null, dkimResults: [], spfResults: [] };
  const parts = Array.from({ length: 100_000 }, (_, i) => ({ record: kept, begin: i < 50_000 ? 0 : 86_400 }));
  const begun = performance.now();
  const joined = joinDays(parts);
  expect(performance.now() - begun).toBeLessThan(5_000);
  expect(joined).toHaveLength(50_000);
  expect(new Set(joined.map(({ count }) => count))).toEqual(new Set([2]));
});

it('the order of an export does not matter', async () => {
  const [dumped, listed] = [await read([join(folder, 'elasticdump.ndjson')]), await read([join(folder, 'hits.json')])];
  const bytes = (found: Found[]) => reportsOf(found).map((report) => reportXml(report).toString());
  expect(bytes(dumped)).toEqual(bytes(listed));
});

it('a path that does not exist is named', async () => {
  await expect(read(['/nowhere/aggregate.json'])).rejects.toThrow('/nowhere/aggregate.json does not exist.');
});

/** Adds twenty rows of five reports. */
async function addRows(groups: RowGroups): Promise<void> {
  const published = { domain: 'example.com', p: 'none' };
  const dates = { date_begin: '2026-01-01T00:00:00', date_end: '2026-01-02T00:00:00' };
  for (let i = 0; i < 20; i += 1) {
    const row = { report_id: `r-${i % 5}`, source_ip_address: '192.0.2.1', message_count: i };
    await groups.add(documentRow({ ...row, ...dates, published_policy: published }, null, 'rows.ndjson, line 1'));
  }
}

it('more rows than memory should hold are grouped in files, of which nothing stays when the process is killed', async () => {
  using temporary = temporaryFolder();
  vi.stubEnv('TMPDIR', temporary.path);
  await using groups = new RowGroups(3);
  await addRows(groups);
  expect(await readdir(temporary.path)).toEqual([]);
  const sizes = [];
  for await (const rows of groups.groups()) sizes.push(rows.length);
  expect(sizes).toEqual([4, 4, 4, 4, 4]);
});

it('a folder for temporary files that cannot be written to is named, and what to do', async () => {
  vi.stubEnv('TMPDIR', '/nowhere');
  await using groups = new RowGroups(3);
  await expect(addRows(groups)).rejects.toThrow(
    /^Rows cannot be written to \/nowhere: .+ Set TMPDIR to a folder with enough free space/,
  );
});
