import { complaintsAbout, hostileInputs } from '@dmarc-ledger/testkit/hostile-inputs';
import { expect, it } from 'vitest';
import type { FailureReport } from '../src/index.ts';
import { read } from './read-delivery.ts';

const inputs = hostileInputs('ruf');

it(`stands ${inputs.length} hostile inputs`, { timeout: 120_000 }, async () => {
  expect(await complaintsAbout(inputs, read, figuresOf)).toEqual({});
});

function figuresOf({ sourceIp, reportedDomain }: FailureReport) {
  return { source_ip: sourceIp, reported_domain: reportedDomain };
}
