import { newId } from '@dmarc-ledger/vocabulary';
import { describe, expect, test } from 'vitest';
import { mergeWork } from '../src/outbox/merge-work.ts';

describe('announced work that goes to the queue together', () => {
  const [orgId, otherId] = [newId(), newId()];

  test('reports of one organization to be judged become one job, each report once', () => {
    const [a, b, c] = [newId(), newId(), newId()];
    const merged = mergeWork([
      { job: 'alignReports', payload: { orgId, reportIds: [a, b] } },
      { job: 'alignReports', payload: { orgId, reportIds: [b, c] } },
      { job: 'classifyReports', payload: { orgId, reportIds: [a] } },
    ]);
    expect(merged).toEqual([
      { job: 'alignReports', payload: { orgId, reportIds: [a, b, c] } },
      { job: 'classifyReports', payload: { orgId, reportIds: [a] } },
    ]);
  });

  test('organizations never share a job', () => {
    const entries = [orgId, otherId].map((id) => ({
      job: 'judgeSources',
      payload: { orgId: id, addresses: ['192.0.2.1'] },
    }));
    expect(mergeWork(entries)).toEqual(entries);
  });

  test('no job names more than its kind allows', () => {
    const addresses = Array.from({ length: 450 }, (_, i) => `10.0.${i >> 8}.${i & 255}`);
    const entries = addresses.map((address) => ({ job: 'judgeSources', payload: { orgId, addresses: [address] } }));
    const sizes = mergeWork(entries).map(({ payload }) => Object(payload).addresses.length);
    expect(sizes).toEqual([200, 200, 50]);
  });

  test('work of other kinds, and work of an unknown shape, is passed on as it was announced', () => {
    const entries = [
      { job: 'settleReport', payload: { orgId, reportId: newId() } },
      { job: 'alignReports', payload: { orgId, reportIds: 'all' } },
      { job: 'alignReports', payload: null },
      { job: 'unheardOf', payload: { orgId, reportIds: ['1'] } },
    ];
    expect(mergeWork(entries)).toEqual(entries);
  });
});
