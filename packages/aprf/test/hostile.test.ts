import { complaintsAbout, hostileInputs, hostileJson, outcomesOf } from '@dmarc-ledger/testkit/hostile-inputs';
import { expect, it } from 'vitest';
import type { AprfReport } from '../src/index.ts';
import { read } from './read-delivery.ts';

const inputs = hostileInputs('aprf');

it('stands the hostile inputs of the corpus outside', { timeout: 120_000 }, async ({ skip }) => {
  if (!inputs) return skip('the corpus is not here');
  expect(inputs).not.toEqual([]);
  expect(await complaintsAbout(inputs, read, figuresOf)).toEqual({});
});

it('refuses hostile JSON, each document with a code', { timeout: 120_000 }, async () => {
  const names = Object.keys(hostileJson);
  expect(names).toHaveLength(11);
  const refused = { reports: 0, refusals: [expect.stringMatching(/^[a-z_]+$/)] };
  expect(await outcomesOf(hostileJson, read)).toEqual(Object.fromEntries(names.map((name) => [name, refused])));
});

function figuresOf({ source, dkimDomain, dkimSelector, rows }: AprfReport) {
  return { source, dkim_domain: dkimDomain, dkim_selector: dkimSelector, rows: rows.length };
}
