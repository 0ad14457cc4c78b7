import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Arrival } from '@dmarc-ledger/pipeline';
import { sampleHistory, sampleOrganization, sampleReports, sampleTlsReports } from '@dmarc-ledger/samples';
import type { Database, Db } from '@dmarc-ledger/schema';
import { addDays, dayOf } from '@dmarc-ledger/vocabulary';
import {
  addDomain,
  createKey,
  findOrganization,
  hasReceived,
  listKeys,
  markSamples,
  rememberCheck,
  setOrganization,
} from '@dmarc-ledger/ledger';
import type { Installation } from './installation.ts';
import { ingestPaths, type IngestNeeds } from './ingest-paths.ts';
import type { IngestSummary } from './ingest-summary.ts';

interface Note {
  /** The last day of the samples: the same day gives the same bytes. */
  day: string;
  done: boolean;
  /** The organization that they were imported into; older versions did not note it. */
  orgId?: string;
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
  if (noted?.orgId !== undefined && noted.orgId !== orgId) return undefined;
  if (!noted && (await hasReceived(installation.database.db, orgId))) return undefined;
  const note = { ...(noted ?? { day: dayOf(Date.now() / 1000), done: false }), orgId };
  await writeNote(file, note);
  await markSamples(installation.database.db, orgId);
  if (note.done) return undefined;
  await addSampleAddresses(installation.database, orgId);
  const summary = await ingestPaths({ ...installation, onProgress }, orgId, arrivals(note.day));
  await addSampleDomains(installation.database.db, orgId);
  await addSampleHistory(installation.database.db, orgId, note.day);
  await addExpiringKey(installation.database.db, orgId);
  await writeNote(file, { ...note, done: true });
  return summary;
}

/** Before any domain is checked: the addresses that the records of the samples name. */
async function addSampleAddresses(database: Database, orgId: string): Promise<void> {
  const own = (await findOrganization(database.db, { id: orgId }))?.report_addresses ?? [];
  const { reportAddresses } = sampleOrganization();
  await setOrganization(database, orgId, { reportAddresses: [...new Set([...own, ...reportAddresses])] });
}

/** Adds the domains of the samples. Last, so that their checks know the selectors. Running it again changes nothing. */
async function addSampleDomains(db: Db, orgId: string): Promise<void> {
  for (const name of sampleOrganization().domains) await addDomain(db, orgId, name, { tlsrpt: true });
}

const EXPIRING_KEY = 'sample: a key that expires soon';
const KEY_DAYS = 7;

/** Adds a key that expires within a week, for its event. Its secret is kept nowhere, so that it opens nothing. */
async function addExpiringKey(db: Db, orgId: string): Promise<void> {
  if ((await listKeys(db, orgId)).some(({ name }) => name === EXPIRING_KEY)) return;
  const expiresAt = new Date(`${addDays(dayOf(Date.now() / 1000), KEY_DAYS)}T00:00:00Z`);
  await createKey(db, orgId, { scope: 'read', name: EXPIRING_KEY, expiresAt });
}

/** Stores what checks found before today, which no check of today can see. Running it again changes nothing. */
async function addSampleHistory(db: Db, orgId: string, today: string): Promise<void> {
  for (const { domain, findings } of sampleHistory()) {
    let before: string | null = null;
    for (const { daysAgo, ...finding } of findings) {
      const at = new Date(`${addDays(today, -daysAgo)}T06:00:00Z`);
      await rememberCheck(db, orgId, domain, { ...finding, at, before });
      before = finding.status;
    }
  }
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
  for (const { name, bytes } of sampleTlsReports({ today })) yield { content: bytes, source: 'file', name };
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
