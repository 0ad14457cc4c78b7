import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { fileSource } from '@dmarc-ledger/unpack';
import { describe, expect, it } from 'vitest';
import { takeDelivery } from './take-delivery.ts';

interface Case {
  group: string;
  verdict: 'accept' | 'reject' | 'either';
  reports?: { source_ip: string; reported_domain: string }[];
}

const directory = process.env['HOSTILE_DIRECTORY'];
const root = directory
  ? new URL(`file://${directory}/`)
  : new URL('../../../../shared/corpus/hostile/', import.meta.url);
const list = new URL('hostile_expected.json', root);
const all: { [file: string]: Case } = existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : {};
const cases = Object.entries(all).filter(([file, { group }]) => group === 'ruf' && existsSync(new URL(file, root)));

describe.runIf(cases.length > 0)('hostile inputs', () => {
  it.each(cases)('%s', { timeout: 60_000 }, async (file, { verdict, reports }) => {
    const taken = await takeDelivery(await fileSource(fileURLToPath(new URL(file, root))), file);
    if (verdict === 'accept') expect(taken.refusals).toEqual([]);
    if (verdict === 'reject') expect(taken.reports).toEqual([]);
    expect(taken.reports.length + taken.refusals.length).toBeGreaterThan(0);
    if (taken.reports.length === 0 || !reports) return;
    expect(taken.reports).toMatchObject(
      reports.map(({ source_ip, reported_domain }) => ({ sourceIp: source_ip, reportedDomain: reported_domain })),
    );
  });
});
