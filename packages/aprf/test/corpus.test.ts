import { fileSource } from '@dmarc-ledger/unpack';
import { takeDelivery } from '@dmarc-ledger/testkit/hostile-inputs';
import { outsideReports } from '@dmarc-ledger/testkit/outside-corpus';
import { expect, it } from 'vitest';
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

const reports = outsideReports<{ reports: Expected[] }>('aprf');
it('reads the published samples of the corpus outside as its oracle does', async ({ skip }) => {
  if (!reports) return skip('the corpus is not here');
  for (const [file, { path, expected }] of Object.entries(reports)) {
    const taken = await takeDelivery(await fileSource(path), file, read);
    expect({ file, refusals: taken.refusals }).toEqual({ file, refusals: [] });
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
    ).toEqual(expected.reports.flatMap(({ entries }) => entries));
  }
});

function objectOf(entries: AprfEntry[] | null): { [category: string]: number } {
  return Object.fromEntries((entries ?? []).map(({ category, value }) => [category, value]));
}
