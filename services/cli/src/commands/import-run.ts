import { hash } from 'node:crypto';
import { recentBlobs } from '@dmarc-ledger/blobs';
import type { Found } from '@dmarc-ledger/imports';
import { countReceivedContents, IMPORT_HELD_CODE } from '@dmarc-ledger/ledger';
import type { Arrival } from '@dmarc-ledger/pipeline';
import type { IngestNeeds } from '@dmarc-ledger/standalone-service/ingest';
import { idText } from '@dmarc-ledger/vocabulary';
import { untilInterrupted } from '../interruption.ts';
import { openProgress } from '../progress.ts';
import { orgIdOf } from '../organizations.ts';
import { withInstallation, type Work } from '../with-installation.ts';
import { ImportTally, type ImportSummary, show } from './import-summary.ts';

export interface ImportOptions {
  org: string;
  count?: boolean;
  dryRun?: boolean;
  json?: boolean;
}

/** Contents that are looked up at once. */
const LOOKED_UP = 500;

/** Takes in what a reader finds, or shows what would be taken in. Can be repeated and interrupted at any time. */
export async function runImport(options: ImportOptions, read: () => AsyncGenerator<Found>): Promise<void> {
  await withInstallation(async (work) => {
    const orgId = await orgIdOf(work, options.org);
    const run = options.dryRun ? preview : takeIn;
    const { interrupted } = untilInterrupted(
      'Stopped. Run it again to continue: nothing is lost, and nothing is counted twice.',
    );
    const summary = await Promise.race([run(work, orgId, read(), options), interrupted]);
    show(summary, { ...options, org: idText(orgId) });
  });
}

async function takeIn(work: Work, orgId: string, found: AsyncGenerator<Found>, { count }: ImportOptions) {
  const { ingestPaths, startHelpers } = await import('@dmarc-ledger/standalone-service/ingest');
  const { installation, use, log } = work;
  const tally = new ImportTally();
  await startHelpers(installation, use, log);
  const progress = openProgress('taken in');
  let held = 0; // as most are held, they are counted and not listed
  const refusals: NonNullable<ImportSummary['refusals']> = [];
  try {
    const needs: IngestNeeds = {
      ...installation,
      blobs: recentBlobs(installation.blobs),
      onProgress: progress.update,
      onRefusal: (refusal) => void (refusal.code === IMPORT_HELD_CODE ? (held += 1) : refusals.push(refusal)),
    };
    const { stored, duplicates, refused } = await ingestPaths(needs, orgId, arrivalsOf(found, tally, count === true));
    return { ...tally.summary(), stored, duplicates, held, refused: refused - held, refusals };
  } finally {
    progress.stop();
  }
}

async function preview(
  { installation: { database } }: Work,
  orgId: string,
  found: AsyncGenerator<Found>,
): Promise<ImportSummary> {
  const tally = new ImportTally();
  let contents: Buffer[] = [];
  let received = 0;
  const lookUp = async () => {
    received += await countReceivedContents(database.db, orgId, contents);
    contents = [];
  };
  for await (const { content } of arrivalsOf(found, tally, false)) {
    if (Buffer.isBuffer(content)) contents.push(hash('sha256', content, 'buffer'));
    if (contents.length >= LOOKED_UP) await lookUp();
  }
  await lookUp();
  return { ...tally.summary(), received };
}

/** A report that was rebuilt is an import, what a reporter sent a file like any other. */
async function* arrivalsOf(
  found: AsyncGenerator<Found>,
  tally: ImportTally,
  isReleased: boolean,
): AsyncGenerator<Arrival> {
  const { reportXml } = await import('@dmarc-ledger/imports');
  for await (const one of found) {
    tally.add(one);
    if (one.kind === 'raw') yield { content: one.content, source: 'file', name: one.name };
    if (one.kind === 'kept') yield { content: reportXml(one.report), source: 'import', name: one.name, isReleased };
  }
}
