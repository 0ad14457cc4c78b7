import { openQueues } from '@dmarc-ledger/queues';

// A worker process, to be killed: it reports when it has begun a job, and never ends one.
const [databaseUrl, redisUrl] = process.argv.slice(2);
const begin = () => {
  process.stdout.write('begun\n');
  return new Promise<never>(() => {});
};
const queues = await openQueues({ databaseUrl: databaseUrl!, redisUrl: redisUrl || undefined });
await queues.work(
  {
    alignReports: begin,
    classifyReports: begin,
    rereadReports: begin,
    settleReport: begin,
    repairRollups: begin,
    enrichAddresses: begin,
    judgeSignatures: begin,
    judgeSources: begin,
    checkDomain: begin,
    computeHealth: begin,
    computeSnapshots: begin,
    deliverEvent: begin,
    purgeOrganization: begin,
    sweepBlobs: begin,
    raiseEvents: begin,
  },
  { timing: { lockMs: 1_000, stalledCheckMs: 500 } },
);
