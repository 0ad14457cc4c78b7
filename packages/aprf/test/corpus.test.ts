import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { fileSource } from '@dmarc-ledger/unpack';
import { takeDelivery } from '@dmarc-ledger/testkit/hostile-inputs';
import { describe, expect, it } from 'vitest';
import type { AprfEntry } from '../src/index.ts';
import { read } from './read-delivery.ts';

interface Placement {
  segment: string[];
  classification: { [category: string]: number };
  engagement: { [category: string]: number };
}

interface Expected {
  entries: { [field: string]: unknown; rows: Placement[] }[];
}

const root = new URL('../../../../shared/corpus/', import.meta.url);
const list = new URL('expected.json', root);
const expected: { [file: string]: { reports: Expected[] } } = existsSync(list)
  ? JSON.parse(readFileSync(list, 'utf8'))
  : {};
const files = Object.keys(expected).filter((file) => file.startsWith('aprf/'));

describe.runIf(files.length > 0)('published samples', () => {
  it.each(files)('reads %s', async (file) => {
    const taken = await takeDelivery(await fileSource(fileURLToPath(new URL(encodeURI(file), root))), file, read);
    expect(taken.refusals).toEqual([]);
    expect(
      taken.reports.map(
        ({ source, dkimDomain, dkimSelector, version, sdiUsed, extraInfo, contact, begin, end, rows }) => ({
          source,
          dkim_domain: dkimDomain,
          dkim_selector: dkimSelector,
          version,
          sdi_used: sdiUsed,
          extra_info: extraInfo,
          contact_info: contact,
          begin,
          end,
          rows: rows.map(({ segment, classification, engagement }) => ({
            segment,
            classification: objectOf(classification),
            engagement: objectOf(engagement),
          })),
        }),
      ),
    ).toEqual(expected[file]!.reports.flatMap(({ entries }) => entries));
  });
});

function objectOf(entries: AprfEntry[] | null): { [category: string]: number } {
  return Object.fromEntries((entries ?? []).map(({ category, value }) => [category, value]));
}
