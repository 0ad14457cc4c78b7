import { mkdir, mkdtemp } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { commandCost, lessCost, type CommandPlace } from './command.ts';
import type { ReportSet } from './corpus.ts';
import type { Cost } from './cpu.ts';
import type { Lab } from './lab.ts';

const ORG = 'Bench';

/** An organization of its own, and the command `ingest` on it. */
export interface Ingesting {
  databaseUrl: string;
  /** What the command costs on an empty folder. */
  start: Cost;
  /** Takes in the files of a set, and returns the cost without that of starting. */
  ingest: (set: ReportSet) => Promise<Cost>;
}

export async function openIngesting(lab: Lab, settings: Pick<CommandPlace, 'ENRICHMENT'> = {}): Promise<Ingesting> {
  const databaseUrl = await lab.createDatabase(true);
  const dataDir = await mkdtemp(join(lab.folder, 'data-'));
  const place: CommandPlace = { databaseUrl, dataDir, ...settings };
  const empty = join(dataDir, 'empty');
  await mkdir(empty);
  const ingest = async (folder: string) => await commandCost(lab, place, ['ingest', folder, '--org', ORG]);
  await commandCost(lab, place, ['org', 'create', ORG]);
  await ingest(empty);
  const start = await ingest(empty);
  await lab.checkpoint();
  return { databaseUrl, start, ingest: async (set) => lessCost(await ingest(dirname(set.files[0]!)), start) };
}
