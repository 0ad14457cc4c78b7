import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Arrival } from '@dmarc-ledger/pipeline';
import { sampleReports } from '@dmarc-ledger/samples';
import { dayOf } from '@dmarc-ledger/vocabulary';
import { hasReceived } from '@dmarc-ledger/ledger';
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
  const file = join(installation.dataDir, 'samples.json');
  const noted = await readNote(file);
  if (noted?.done) return undefined;
  if (!noted && (await hasReceived(installation.database.db, orgId))) return undefined;
  const note = noted ?? { day: dayOf(Date.now() / 1000), done: false };
  await writeNote(file, note);
  const summary = await ingestPaths({ ...installation, onProgress }, orgId, arrivals(note.day));
  await writeNote(file, { ...note, done: true });
  return summary;
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
