import { complaintsAbout, hostileInputs } from '@dmarc-ledger/testkit/hostile-inputs';
import { expect, it } from 'vitest';
import type { TlsReport } from '../src/index.ts';
import { read } from './read-delivery.ts';

const inputs = hostileInputs('tlsrpt');

it(`stands ${inputs.length} hostile inputs`, { timeout: 120_000 }, async () => {
  expect(await complaintsAbout(inputs, read, figuresOf)).toEqual({});
});

function figuresOf({ reporterName, reportId, policies: [policy] }: TlsReport) {
  const success = policy?.successes ?? null;
  return { organization: reporterName, report_id: reportId, success, failure: policy?.failures ?? null };
}
