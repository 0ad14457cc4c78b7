import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Arrival } from '@dmarc-ledger/pipeline';
import { sampleOrganization, sampleReports } from '@dmarc-ledger/samples';
import type { Db } from '@dmarc-ledger/schema';
import { dayOf } from '@dmarc-ledger/vocabulary';
import { addDomain, findOrganization, hasReceived, setOrganization } from '@dmarc-ledger/ledger';
import type { Installation } from './installation.ts';
import { ingestPaths, type IngestNeeds, type IngestSummary } from './ingest-paths.ts';

interface Note {
  /** The last day of the samples: the same day gives the same bytes. */
  day: string;
  done: boolean;
}

/**
 * Imports the bundled sample reports once, into a ledger that has received nothing. An interrupted import continues
 * with the samples of its day. Undefined when there is nothing to import.
 */
export async function takeInSamples(
  installation: Installation,
  orgId: string,
  onProgress: IngestNeeds['onProgress'],
): Promise<IngestSummary | undefined> {
  const file = noteIn(installation.dataDir);
  const noted = await readNote(file);
  if (noted?.done) return undefined;
  if (!noted && (await hasReceived(installation.database.db, orgId))) return undefined;
  const note = noted ?? { day: dayOf(Date.now() / 1000), done: false };
  await writeNote(file, note);
  const summary = await ingestPaths({ ...installation, onProgress }, orgId, arrivals(note.day));
  await addSampleDomains(installation.database.db, orgId);
  await writeNote(file, { ...note, done: true });
  return summary;
}

/**
 * Adds the domains of the samples, with the addresses that their records name. Last, so that their checks know the
 * selectors. Running it again changes nothing.
 */
async function addSampleDomains(db: Db, orgId: string): Promise<void> {
  const { domains, reportAddresses } = sampleOrganization();
  const own = (await findOrganization(db, { id: orgId }))?.report_addresses ?? [];
  await setOrganization(db, orgId, { reportAddresses: [...new Set([...own, ...reportAddresses])] });
  for (const name of domains) await addDomain(db, orgId, name, { tlsrpt: true });
}

/** True if the samples of this data folder were taken in, or begun. */
export async function areSamplesTaken(dataDir: string): Promise<boolean> {
  return (await readNote(noteIn(dataDir))) !== undefined;
}

function noteIn(dataDir: string): string {
  return join(dataDir, 'samples.json');
}

async function* arrivals(today: string): AsyncGenerator<Arrival> {
  for (const { name, bytes } of sampleReports({ today })) yield { content: bytes, source: 'file', name };
}

async function readNote(file: string): Promise<Note | undefined> {
  return await readFile(file, 'utf8').then(
    (text): Note => JSON.parse(text),
    () => undefined,
  ); // written only by this code
}

async function writeNote(file: string, note: Note): Promise<void> {
  await writeFile(`${file}.new`, `${JSON.stringify(note)}\n`);
  await rename(`${file}.new`, file);
}
