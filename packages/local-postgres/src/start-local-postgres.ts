import { errorCode } from '@dmarc-ledger/vocabulary';
import { openCluster } from './cluster.ts';
import { connectionUrl, openDataFolder } from './data-folder.ts';
import { LocalPostgresError } from './errors.ts';
import { keepRunning } from './keep-running.ts';
import { withLock } from './lock.ts';
import { findPostmaster, stopPostmaster } from './postmaster.ts';
import { ensureServer, type Settings } from './server.ts';
import { hasUsers, registerUser } from './users.ts';

export interface LocalPostgresOptions {
  /** The folder of the data and of the files that find the server again; created when missing. */
  dataDir: string;
  /** Receives a few words on each step that may take a moment. */
  onProgress?: (line: string) => void;
  /** Server settings that add to the defaults or replace them; they count only when this call starts the server. */
  settings?: Settings;
  /** Start the server again, for as long as it is used here, when it has ended by itself. */
  isKeptRunning?: boolean;
}

/** One use of the server. It keeps running until the last user, in any process, has stopped using it. */
export interface LocalPostgres {
  url: string;
  stop(): Promise<void>;
}

/** The embedded PostgreSQL of a data folder: created the first time, adopted when it already runs, else started. */
export async function startLocalPostgres(options: LocalPostgresOptions): Promise<LocalPostgres> {
  try {
    return await start(options);
  } catch (error) {
    if (!['EACCES', 'EPERM', 'EROFS'].includes(errorCode(error) ?? '')) throw error;
    throw new LocalPostgresError(
      'data_dir_unavailable',
      `This user cannot write to ${options.dataDir}: run as the user who created it, or choose another DATA_DIR.`,
      { cause: error },
    );
  }
}

async function start({
  dataDir,
  onProgress = () => {},
  settings = {},
  isKeptRunning = false,
}: LocalPostgresOptions): Promise<LocalPostgres> {
  const folder = openDataFolder(dataDir);
  return withLock(folder.root, async () => {
    const { account, connection } = await openCluster(folder, onProgress);
    const user = registerUser(folder.root);
    try {
      const { port } = await ensureServer(account, folder.log, settings);
      const { cluster } = account;
      const startAgain = () => ensureServer(account, folder.log, settings, port);
      const endKeeping = isKeptRunning && keepRunning({ cluster, root: folder.root, start: startAgain });
      const stop = stopOnce(async () => {
        if (endKeeping) await endKeeping();
        await leave(folder.root, cluster, user);
      });
      return { url: connectionUrl(connection, port), stop };
    } catch (error) {
      user.release();
      throw error;
    }
  });
}

async function leave(root: string, cluster: string, user: { release(): void }): Promise<void> {
  await withLock(root, async () => {
    user.release();
    const postmaster = findPostmaster(cluster);
    if (postmaster && !hasUsers(root)) await stopPostmaster(postmaster.pid);
  });
}

function stopOnce(stop: () => Promise<void>): () => Promise<void> {
  let stopping: Promise<void> | undefined;
  return () => (stopping ??= stop());
}
