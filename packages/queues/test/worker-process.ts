import { jobs, openQueues, type Handlers } from '@dmarc-ledger/queues';

// A worker process, to be killed: it reports when it has begun a job, of whatever kind, and never ends one.
const [databaseUrl, redisUrl] = process.argv.slice(2);
const begin = () => {
  process.stdout.write('begun\n');
  return new Promise<never>(() => {});
};
const handlers: Partial<Handlers> = Object.fromEntries(Object.keys(jobs).map((job) => [job, begin]));
const queues = await openQueues({ databaseUrl: databaseUrl!, redisUrl: redisUrl || undefined });
await queues.work(handlers, { timing: { lockMs: 1_000, stalledCheckMs: 500 } });
