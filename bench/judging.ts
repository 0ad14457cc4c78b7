import { openDimensions, relayOutbox } from '@dmarc-ledger/ledger';
import { publicSuffixDomains } from '@dmarc-ledger/dmarc';
import { workHandlers } from '@dmarc-ledger/pipeline';
import type { JobEntry, Payload } from '@dmarc-ledger/queues';
import type { Ledger } from './ledger.ts';

const AT_ONCE = 200;
const never = new AbortController().signal;

/** The work that storing has announced, and what that announces in turn. */
export async function judgeStored({ database, blobs }: Ledger): Promise<void> {
  const organizationalDomain = publicSuffixDomains();
  const handlers = workHandlers({ database, blobs, dimensions: openDimensions(database), organizationalDomain });
  for (;;) {
    const work: JobEntry[] = [];
    while ((await relayOutbox(database, AT_ONCE, async (entries) => void work.push(...entries))) > 0);
    if (work.length === 0) return;
    for (const { job, payload } of work) {
      if (job === 'alignReports' || job === 'classifyReports')
        await handlers[job](payload as Payload<'alignReports'>, never); // as the store has just written it
      else if (job === 'judgeSources') await handlers.judgeSources(payload as Payload<'judgeSources'>, never);
    }
  }
}
