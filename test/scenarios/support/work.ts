import type { Database } from '@dmarc-ledger/schema';
import { planChecks, planLookups, relayOutbox } from '@dmarc-ledger/ledger';
import type { JobEntry } from '@dmarc-ledger/queues';
import type { workHandlers } from '@dmarc-ledger/pipeline';

type Handlers = ReturnType<typeof workHandlers>;

const LOOKUPS = { inHand: 2_000, inHandBesideIntake: 2_000, atOnce: 2_000, inJob: 200, lostAfterSeconds: 600 };
const CHECKS = {
  inHand: 500,
  inHandOfOrganization: 500,
  discoveredInHand: 100,
  silentInHand: 100,
  atOnce: 500,
  lostAfterSeconds: 600,
};

/** Does the announced jobs, and those that they announce, until there are none; equal ones are done once. */
export async function doJobs(database: Database, handlers: Handlers): Promise<number> {
  const byName = handlers as unknown as { [job: string]: (payload: unknown, ending: AbortSignal) => Promise<void> };
  for (let done = 0; ;) {
    const jobs = new Map<string, JobEntry>();
    await relayOutbox(database, 1_000, async (entries) => {
      for (const entry of entries) jobs.set(JSON.stringify([entry.job, entry.payload]), entry);
    });
    if (jobs.size === 0) return done;
    for (const { job, payload } of jobs.values()) await byName[job]?.(payload, new AbortController().signal);
    done += jobs.size;
  }
}

/** Looks up addresses and checks domains that are due, after the mail is judged, until nothing more follows. */
export async function doWhatIsDue(database: Database, handlers: Handlers): Promise<void> {
  for (;;) {
    await doJobs(database, handlers);
    const lookups = await planLookups(database, LOOKUPS);
    await doJobs(database, handlers);
    const checks = await planChecks(database, CHECKS);
    if ((await doJobs(database, handlers)) + lookups + checks === 0) return;
  }
}
