import { putInstallationState } from '@dmarc-ledger/ledger';
import type { Database, InstallationPart } from '@dmarc-ledger/schema';
import { repeatEvery } from '@dmarc-ledger/vocabulary';
import { checkDatabase, checkWork } from './check-database.ts';
import { checkBacklogs, checkMailboxStates } from './check-figures.ts';
import { ok, type Finding } from './finding.ts';

const EVERY_MS = 60_000;

export interface InstallationWatch {
  database: Database;
  part: InstallationPart;
  find: () => Promise<readonly Finding[]>;
  everyMs?: number;
  onFault: (message: string, error: unknown) => void;
}

/** Stores what is found of a part of the installation, each minute, for the page of operators. Any number may run. */
export async function watchInstallation(
  { database, part, find, everyMs = EVERY_MS, onFault }: InstallationWatch,
  signal: AbortSignal,
): Promise<void> {
  const onError = (error: unknown) => onFault('The state of the installation could not be stored.', error);
  await repeatEvery({ everyMs, onError }, signal, async () => {
    await putInstallationState(database.db, part, await find());
  });
}

/** What the database alone knows of the installation. */
export async function findLedgerState(database: Database): Promise<Finding[]> {
  return [
    ok('Node.js', process.version),
    ...(await checkDatabase(database)),
    ...(await checkWork(database)),
    ...(await checkBacklogs(database.db)),
    ...(await checkMailboxStates(database.db)),
  ];
}
