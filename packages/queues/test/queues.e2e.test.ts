import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { openQueues, QueueError, type QueueLog, queueNames, type Queues } from '@dmarc-ledger/queues';
import { emptyDatabase, redisServer, type RedisServer } from '@dmarc-ledger/testkit';
import { CodedError, newId } from '@dmarc-ledger/vocabulary';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { idle, isIdle, none, patient, SHORT, work } from './work.ts';

const orgId = newId();

class NotNow extends CodedError<'not_now' | 'never'> {
  override readonly retryable = this.code === 'not_now';
}

describe.each(['Redis', 'Postgres'])('queues on %s', (store) => {
  const opened: Queues[] = [];
  let redis: RedisServer | undefined;
  let database: Awaited<ReturnType<typeof emptyDatabase>>;

  beforeAll(async () => {
    if (store === 'Redis') redis = await redisServer();
  });
  beforeEach(async () => {
    database = await emptyDatabase();
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((queues) => queues.close()));
    await redis?.flushAll();
    await database[Symbol.asyncDispose]();
  });
  afterAll(() => redis?.stop());

  it('does every job once, with the payload it was added with', async () => {
    const done: unknown[] = [];
    const queues = await open();
    const ids = Array.from({ length: 50 }, () => newId());
    await queues.addAll(ids.map((id) => ({ job: 'alignReports', payload: { orgId, reportIds: [id] } })));
    await work(queues, { alignReports: async (payload) => void done.push(payload) }, { concurrency: 5 });
    await isIdle(queues);
    expect(done.toSorted(byText)).toEqual(ids.map((id) => ({ orgId, reportIds: [id] })).toSorted(byText));
  });

  it('carries jobs of several queues, and serves only the given queues', async () => {
    const done: string[] = [];
    const queues = await open();
    await queues.addAll([
      { job: 'classifyReports', payload: { orgId, reportIds: [newId()] } },
      { job: 'repairRollups', payload: { orgId } },
    ]);
    const handlers = {
      classifyReports: async () => void done.push('classify'),
      repairRollups: async () => void done.push('repair'),
    };
    await work(queues, handlers, { queues: ['rollups'] });
    await vi.waitFor(async () => expect((await queues.counts())['rollups']).toEqual(none), patient);
    expect(await queues.counts()).toMatchObject({ records: { ...none, waiting: 1 } });
    await work(queues, handlers, { queues: ['records'] });
    await isIdle(queues);
    expect(done).toEqual(['repair', 'classify']);
  });

  it('tries a job that failed again, and reports how each try ended', async () => {
    let tries = 0;
    const outcomes: string[] = [];
    const queues = await open();
    await queues.addAll([{ job: 'repairRollups', payload: { orgId } }]);
    const repairRollups = async () => {
      tries += 1;
      if (tries < 3) throw new NotNow('not_now', 'come back later');
    };
    await work(
      queues,
      { repairRollups },
      { onFinished: ({ job, queue, outcome }) => outcomes.push(`${job} ${queue} ${outcome}`) },
    );
    const retry = 'repairRollups rollups retry';
    await vi.waitFor(() => expect(outcomes).toEqual([retry, retry, 'repairRollups rollups done']), patient);
  });

  it('does not try again what its error says cannot help', async () => {
    let tries = 0;
    const queues = await open();
    await queues.addAll([{ job: 'repairRollups', payload: { orgId } }]);
    const repairRollups = async () => {
      tries += 1;
      throw new NotNow('never', 'this will not get better');
    };
    await work(queues, { repairRollups });
    await vi.waitFor(
      async () => expect(await queues.counts()).toMatchObject({ rollups: { ...none, failed: 1 } }),
      patient,
    );
    expect(tries).toBe(1);
  });

  it('takes a failed job’s key again, and one that is done', async () => {
    let tries = 0;
    const queues = await open();
    const repairRollups = async () => {
      tries += 1;
      if (tries === 1) throw new NotNow('never', 'the first time');
    };
    await work(queues, { repairRollups });
    for (const wanted of [1, 2, 3]) {
      await queues.addAll([{ job: 'repairRollups', payload: { orgId } }]);
      await vi.waitFor(() => expect(tries).toBe(wanted), patient);
      await vi.waitFor(
        async () => expect(await queues.counts()).toMatchObject({ rollups: { waiting: 0, active: 0 } }),
        patient,
      );
    }
  });

  it('holds one job for a key while it waits, and one of each kind for the same id', async () => {
    const done: string[] = [];
    const [queues, again] = [await open(), await open()];
    const payload = { orgId, reportId: orgId };
    const entries = [
      { job: 'settleReport', payload },
      { job: 'repairRollups', payload: { orgId } },
    ];
    await queues.addAll([...entries, ...entries]);
    await again.addAll(entries);
    await work(queues, {
      settleReport: async () => void done.push('settle'),
      repairRollups: async () => void done.push('repair'),
    });
    await isIdle(queues);
    expect(done.toSorted()).toEqual(['repair', 'settle']);
  });

  it('does once more what is asked for while it is being done', async () => {
    const begun = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    let tries = 0;
    const queues = await open();
    await queues.addAll([{ job: 'repairRollups', payload: { orgId } }]);
    const repairRollups = async () => {
      tries += 1;
      begun.resolve();
      await release.promise;
    };
    await work(queues, { repairRollups });
    await begun.promise;
    await queues.addAll([{ job: 'repairRollups', payload: { orgId } }]);
    await queues.addAll([{ job: 'repairRollups', payload: { orgId } }]);
    release.resolve();
    await isIdle(queues);
    expect(tries).toBe(2);
  });

  it('gives the job of a killed worker to another', async () => {
    const queues = await open();
    const child = spawn(
      process.execPath,
      [join(import.meta.dirname, 'worker-process.ts'), database.url, redis?.url ?? ''],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    await queues.addAll([{ job: 'alignReports', payload: { orgId, reportIds: [orgId] } }]);
    const exited = once(child, 'exit');
    await Promise.race([once(child.stdout, 'data'), exited.then(([code]) => expect.fail(`the worker ended: ${code}`))]);
    child.kill('SIGKILL');
    await exited;
    const done: unknown[] = [];
    const stalled: string[] = [];
    await work(
      queues,
      { alignReports: async (payload) => void done.push(payload) },
      { onStalled: (queue) => stalled.push(queue), timing: SHORT },
    );
    await isIdle(queues);
    expect(done).toEqual([{ orgId, reportIds: [orgId] }]);
    await vi.waitFor(() => expect(stalled).toEqual(['records']), patient);
  });

  it('finishes the job in hand before it closes, and takes no other', async () => {
    const begun = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    let done = 0;
    const [queues, other] = [await open(), await open()];
    await queues.addAll([1, 2].map(() => ({ job: 'alignReports', payload: { orgId, reportIds: [newId()] } })));
    const alignReports = async () => {
      begun.resolve();
      await release.promise;
      done += 1;
    };
    await work(queues, { alignReports });
    await begun.promise;
    const closing = queues.close();
    release.resolve();
    await closing;
    expect(done).toBe(1);
    expect(await other.counts()).toMatchObject({ records: { waiting: 1, active: 0 } });
    await work(other, { alignReports });
    await isIdle(other);
  });

  it('aborts a handler that waits for others when it ends, and another worker does the job then', async () => {
    const begun = Promise.withResolvers<void>();
    const warnings: string[] = [];
    const warn = (_: object, message: string) => void warnings.push(message);
    const [queues, other] = [await open({ info: () => {}, warn, error: warn }), await open()];
    await queues.addAll([{ job: 'enrichAddresses', payload: { addresses: ['192.0.2.1'] } }]);
    await work(queues, {
      enrichAddresses: async (_, ending) => {
        begun.resolve();
        await once(ending, 'abort');
        throw new QueueError('job_interrupted', 'There was no time left.');
      },
    });
    await begun.promise;
    await queues.close();
    let done = 0;
    await work(other, { enrichAddresses: async () => void (done += 1) });
    await isIdle(other);
    expect(done).toBe(1);
    expect(warnings).toEqual([]);
  });

  it.each([
    ['an unknown job', 'polishReports', { orgId }, /no job named "polishReports"/],
    ['an unknown job', 'toString', { orgId }, /no job named "toString"/],
    ['a missing id', 'settleReport', { orgId }, /payload of settleReport is wrong: .*reportId/],
    ['a list that is too long', 'alignReports', { orgId, reportIds: Array(501).fill(orgId) }, /reportIds/],
    ['an empty list', 'alignReports', { orgId, reportIds: [] }, /reportIds/],
  ])('refuses %s before anything is added', async (_, job, payload, message) => {
    const queues = await open();
    const good = { job: 'repairRollups', payload: { orgId } };
    await expect(queues.addAll([good, { job, payload }])).rejects.toThrow(message);
    expect(await queues.counts()).toEqual(idle);
  });

  it('refuses to serve a queue that does not exist', async () => {
    const queues = await open();
    await expect(work(queues, {}, { queues: ['records', 'recrods'] })).rejects.toThrow(
      `There is no queue named recrods; there are ${queueNames.join(', ')}.`,
    );
  });

  it('can be opened by many at the same moment', async () => {
    const many = await Promise.all(Array.from({ length: 4 }, () => open()));
    expect(await Promise.all(many.map((queues) => queues.isUp()))).toEqual([true, true, true, true]);
  });

  async function open(log?: QueueLog): Promise<Queues> {
    const queues = await openQueues({ databaseUrl: database.url, redisUrl: redis?.url, ...(log && { log }) });
    opened.push(queues);
    return queues;
  }
});

function byText(a: unknown, b: unknown): number {
  return JSON.stringify(a) < JSON.stringify(b) ? -1 : 1;
}
