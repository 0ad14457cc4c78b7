import { complaintsAbout, hostileInputs } from '@dmarc-ledger/testkit/hostile-inputs';
import { expect, it } from 'vitest';
import type { AprfReport } from '../src/index.ts';
import { read } from './read-delivery.ts';

const inputs = hostileInputs('aprf');

it(`stands ${inputs.length} hostile inputs`, { timeout: 120_000 }, async () => {
  expect(await complaintsAbout(inputs, read, figuresOf)).toEqual({});
});

function figuresOf({ source, dkimDomain, dkimSelector, rows }: AprfReport) {
  return { source, dkim_domain: dkimDomain, dkim_selector: dkimSelector, rows: rows.length };
}
