import { describe, expect, it } from 'vitest';
import { QueueError, queueNames, servableQueues } from '../src/index.ts';
import { refuseUnhandled } from '../src/jobs.ts';

const done = async () => {};
const ofRecords = { alignReports: done, classifyReports: done, judgeSignatures: done };

describe('a process without the means for a job', () => {
  it('serves the queues whose jobs it can all do, and no other', () => {
    expect(servableQueues(ofRecords)).toEqual(['records']);
    expect(servableQueues({ alignReports: done })).toEqual([]);
    expect(servableQueues({ ...ofRecords, sweepBlobs: done })).toEqual(['records']);
    expect(servableQueues({ ...ofRecords, sweepBlobs: done, purgeOrganization: done })).toEqual(['records', 'purges']);
  });

  it('refuses a queue with such a job, and says which', () => {
    expect(() => refuseUnhandled(ofRecords, ['records'])).not.toThrow();
    expect(() => refuseUnhandled(ofRecords, queueNames)).toThrow(QueueError);
    expect(() => refuseUnhandled(ofRecords, ['records', 'lookups'])).toThrow(
      'The queue lookups cannot be served: this process has no handler for its job enrichAddresses.',
    );
  });
});
