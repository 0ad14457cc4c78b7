import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openBlobs, type BlobStore } from '@dmarc-ledger/blobs';
import { createOrganization, openClaimant, openDimensions } from '@dmarc-ledger/ledger';
import { type Database, openDatabase } from '@dmarc-ledger/schema';
import { receiveMessages, takeIn, tendIntake, type IntakeNeeds } from '@dmarc-ledger/pipeline';
import { costOf, type Cost } from './cpu.ts';
import type { Totals } from './corpus.ts';
import type { Lab } from './lab.ts';

/** The product on a database of its own, from delivery to rollups. */
export interface Ledger {
  url: string;
  blobsUrl: string;
  database: Database;
  blobs: BlobStore;
  orgId: string;
  /** Makes deliveries durable and enters them, as an intake does. */
  receive(contents: Iterable<string | Buffer>): Promise<Cost>;
  /** Takes in until nothing waits. */
  takeIn(load?: IntakeNeeds['load']): Promise<Cost>;
  totals(): Promise<Totals>;
  close(): Promise<void>;
}

const RECEIVED_AT_ONCE = 256;

export async function openLedger(lab: Lab): Promise<Ledger> {
  const url = await lab.createDatabase(true);
  const folder = await mkdtemp(join(lab.folder, 'blobs-'));
  const blobsUrl = pathToFileURL(folder).href;
  const [database, blobs] = [openDatabase(url), await openBlobs(blobsUrl)];
  const { id: orgId } = await createOrganization(database.db, { name: 'Bench' });
  const claimant = openClaimant(database);
  const needs = { database, blobs, claimant, dimensions: openDimensions(database), onFault: fail };
  await lab.checkpoint();
  return {
    url,
    blobsUrl,
    database,
    blobs,
    orgId,
    receive: (contents) => costOf(lab.serverPid, () => receive({ database, blobs }, orgId, contents)),
    takeIn: (load) =>
      costOf(lab.serverPid, async () => {
        for (let next = 0, waits = true; waits; waits = (await takeIn({ ...needs, load }, null)) !== null) {
          if (Date.now() < next) continue;
          await tendIntake(needs); // as the running intake does
          next = Date.now() + 1_000;
        }
      }),
    totals: () => totalsOf(database, orgId),
    async close() {
      claimant.release();
      await database.close();
      await lab.dropDatabase(url);
      await rm(folder, { recursive: true });
    },
  };
}

async function receive(
  needs: Parameters<typeof receiveMessages>[0],
  orgId: string,
  contents: Iterable<string | Buffer>,
): Promise<void> {
  let batch: Promise<Buffer>[] = [];
  const enter = async () => {
    const arrivals = (await Promise.all(batch)).map((content) => ({ content, source: 'file' as const, name: null }));
    await receiveMessages(needs, orgId, arrivals);
    batch = [];
  };
  for (const content of contents) {
    batch.push(typeof content === 'string' ? readFile(content) : Promise.resolve(content));
    if (batch.length === RECEIVED_AT_ONCE) await enter();
  }
  await enter();
}

/** What the rollups say, after they were found to agree with the records themselves. */
export async function totalsOf({ pool }: Database, orgId: string): Promise<Totals> {
  const rollup = `select t.reports, sum(r.records) as records, t.messages, t.compliant, t.sources from org_total t
    join report r using (org_id)
    where org_id = $1 group by t.org_id`;
  const counted = `select count(distinct report_id) as reports, count(*) as records, sum(messages) as messages,
    sum(messages) filter (where dkim_pass or spf_pass) as compliant, count(distinct source_ip) as sources
      from report_record where org_id = $1`;
  const [said, found] = await Promise.all(
    [rollup, counted].map(async (text) => (await pool.query<Totals>(text, [orgId])).rows[0]!),
  );
  expectTotals('the records beneath the rollups', said!, found!);
  return said!;
}

/** Same work or no result. */
export function expectTotals(what: string, expected: Totals, found: Totals): void {
  const wrong = (Object.keys(expected) as (keyof Totals)[]).filter((key) => expected[key] !== found[key]);
  if (wrong.length === 0) return;
  throw new Error(`${what}: ${wrong.map((key) => `${found[key]} ${key} instead of ${expected[key]}`).join(', ')}`);
}

function fail(message: string, error: unknown): never {
  throw new Error(message, { cause: error });
}
