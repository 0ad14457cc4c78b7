import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { randomBytes } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { present } from '@dmarc-ledger/vocabulary';
import { chooseAccount, giveTo, type Account } from './account.ts';
import { runProgram } from './command.ts';
import {
  draftConnection,
  readConnection,
  readDraft,
  settleConnection,
  type Connection,
  type DataFolder,
} from './data-folder.ts';
import { LocalPostgresError } from './errors.ts';
import { nativeFolder } from './platform-package.ts';

const MAJOR_VERSION = '18';

/** An initialised cluster: its account, and how to connect to it. */
export interface Cluster {
  account: Account;
  connection: Connection;
}

/** The cluster of this data folder, created if there is none and never was. */
export async function openCluster(folder: DataFolder, onProgress: (line: string) => void): Promise<Cluster> {
  const connection = readConnection(folder) ?? settledDraft(folder);
  if (connection) {
    const cluster = connection.cluster ?? folder.cluster;
    if (!isCluster(cluster)) throw missing(folder, cluster);
    refuseOtherVersion(cluster);
    return { account: chooseAccount(nativeFolder(), cluster), connection };
  }
  const account = chooseAccount(nativeFolder(), folder.cluster);
  if (isCluster(account.cluster)) {
    throw new LocalPostgresError(
      'data_dir_unavailable',
      `${folder.root} holds a database but not its ${folder.connection}: put the file back, or choose another ` +
        `DATA_DIR.`,
    );
  }
  onProgress('creating the database');
  return { account, connection: await initialise(folder, account) };
}

/** The connection of a creation that was killed between its last two steps. */
function settledDraft(folder: DataFolder): Connection | undefined {
  const draft = readDraft(folder);
  if (!draft || !isCluster(draft.cluster ?? folder.cluster)) return undefined;
  settleConnection(folder);
  return draft;
}

function isCluster(path: string): boolean {
  return existsSync(join(path, 'PG_VERSION'));
}

/** An empty database in its place would look like a lost ledger, and hide where the right one is. */
function missing({ connection }: DataFolder, cluster: string): LocalPostgresError {
  return new LocalPostgresError(
    'data_dir_unavailable',
    `${connection} names the database ${cluster}, and there is none: put it back, or delete ${connection} to start ` +
      `with an empty one.`,
  );
}

function refuseOtherVersion(cluster: string): void {
  const version = readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim();
  if (version === MAJOR_VERSION) return;
  throw new LocalPostgresError(
    'data_dir_unavailable',
    `${cluster} was written by PostgreSQL ${version} and this one is ${MAJOR_VERSION}: choose another DATA_DIR, or ` +
      `set DATABASE_URL.`,
  );
}

/**
 * Creates the cluster in a temporary place and renames it when complete, so that a kill leaves nothing that looks like
 * a database. Each attempt has a place of its own: the program of a killed attempt may still write to its place.
 */
async function initialise(folder: DataFolder, account: Account): Promise<Connection> {
  const connection: Connection = { user: 'postgres', password: randomBytes(24).toString('hex'), database: 'postgres' };
  if (account.cluster !== folder.cluster) connection.cluster = account.cluster;
  const draft = `${account.cluster}.${randomBytes(4).toString('hex')}.new`;
  const passwordFile = `${draft}.password`;
  mkdirSync(dirname(draft), { recursive: true });
  mkdirSync(draft, { mode: 0o700 });
  giveTo(account, draft);
  writeFileSync(passwordFile, connection.password, { mode: 0o600 });
  giveTo(account, passwordFile);
  try {
    await initdb(account, draft, passwordFile);
    draftConnection(folder, connection);
    renameSync(draft, account.cluster);
    settleConnection(folder);
  } finally {
    removeDrafts(account.cluster);
  }
  return connection;
}

/** Removes the places of earlier attempts. One that is still written to may stay, without harm. */
function removeDrafts(cluster: string): void {
  for (const name of readdirSync(dirname(cluster))) {
    if (!name.startsWith(`${basename(cluster)}.`) || !/\.new(\.password)?$/.test(name)) continue;
    try {
      rmSync(join(dirname(cluster), name), { recursive: true, force: true });
    } catch {
      continue;
    }
  }
}

async function initdb(account: Account, draft: string, passwordFile: string): Promise<void> {
  const settings = ['--encoding=UTF8', '--locale=C', '--auth=scram-sha-256', '--username=postgres'];
  const args = [`--pgdata=${draft}`, `--pwfile=${passwordFile}`, ...settings];
  const child = runProgram(account, 'initdb', args, ['ignore', 'ignore', 'pipe']);
  const [said, [status]] = await Promise.all([text(present(child.stderr ?? undefined)), once(child, 'exit')]);
  if (status === 0) return;
  throw new LocalPostgresError('init_failed', `PostgreSQL could not create its data folder ${draft}: ${said.trim()}`);
}
