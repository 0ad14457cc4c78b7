import { findDrift, openDimensions, relayOutbox } from '@dmarc-ledger/ledger';
import type { JobEntry } from '@dmarc-ledger/queues';
import { publicSuffixDomains } from '@dmarc-ledger/dmarc';
import { workHandlers } from '@dmarc-ledger/pipeline';
import type { Bench } from '../bench.ts';
import { costOf, sumOf, type Cost } from '../cpu.ts';
import { openLedger, type Ledger } from '../ledger.ts';
import { middleCost, repeat, spread } from '../rounds.ts';
import { costText, type Row } from '../row.ts';

const AT_ONCE = 200;

/** What comes after storing: alignment and class of every record, through the handlers of the jobs. */
export async function judge(bench: Bench): Promise<Row[]> {
  const sets = [await bench.set('small'), await bench.set('mid')];
  const records = sets.reduce((sum, { totals }) => sum + totals.records, 0);
  const found = await repeat(bench.options.rounds, async () => {
    const ledger = await openLedger(bench.lab);
    try {
      await ledger.receive(sets.flatMap(({ files }) => files));
      await ledger.takeIn();
      return await judgeAll(bench, ledger);
    } finally {
      await ledger.close();
    }
  });
  return [
    {
      name: 'judge',
      detail: costText(middleCost(found), { unit: 'record', count: records }),
      unit: 'µs/record',
      measured: spread(found.map((cost) => (sumOf(cost) * 1e6) / records)),
    },
  ];
}

async function judgeAll({ lab }: Bench, ledger: Ledger): Promise<Cost> {
  const { database, blobs, orgId } = ledger;
  const handlers = workHandlers({
    database,
    blobs,
    dimensions: openDimensions(database),
    organizationalDomain: publicSuffixDomains(),
  });
  const work = await announced(ledger, 'alignReports');
  await lab.checkpoint();
  const cost = await costOf(lab.serverPid, async () => {
    for (const payload of work) await handlers.alignReports(payload, never);
  });
  const left = await database.pool.query('select 1 from unjudged_report limit 1');
  const drift = (await findDrift(database, orgId)).filter(({ rows }) => rows > 0);
  if (left.rows.length > 0 || drift.length > 0)
    throw new Error(`judge: not all was judged, or rollups drifted: ${JSON.stringify(drift)}`);
  return cost;
}

const never = new AbortController().signal;

/** Takes the announced work out of its table, which must be of one kind. */
async function announced({ database }: Ledger, job: string): Promise<{ orgId: string; reportIds: string[] }[]> {
  const work: JobEntry[] = [];
  while ((await relayOutbox(database, AT_ONCE, async (entries) => void work.push(...entries))) > 0);
  if (work.some((entry) => entry.job !== job)) throw new Error(`judge: announced was something else than ${job}`);
  // as the store has just written it
  return work.map(({ payload }) => payload as { orgId: string; reportIds: string[] });
}
