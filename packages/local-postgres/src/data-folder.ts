import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** The paths in one data folder: the cluster itself, its connection file, the server's log, the lock, the users. */
export interface DataFolder {
  root: string;
  cluster: string;
  connection: string;
  log: string;
}

/**
 * Creates the folder when it is new. Other accounts may pass through it: under root the server runs as another account.
 */
export function openDataFolder(dataDir: string): DataFolder {
  const root = resolve(dataDir);
  if (!existsSync(root)) {
    makeFolder(root);
    chmodSync(root, 0o755);
  }
  return {
    root,
    cluster: join(root, 'cluster'),
    connection: join(root, 'connection.json'),
    log: join(root, 'server.log'),
  };
}

/** Makes a folder and those above it. The option `recursive` of Node.js tries for ever below `/proc`. */
function makeFolder(path: string): void {
  if (!existsSync(dirname(path))) makeFolder(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    if (!existsSync(path)) throw error; // another process may have been faster
  }
}

/** How to connect, and where the cluster is when it could not be in the data folder. */
export interface Connection {
  user: string;
  password: string;
  database: string;
  cluster?: string;
}

export function readConnection({ connection }: DataFolder): Connection | undefined {
  return readFile(connection);
}

/**
 * Writes how to connect to a cluster that has not got its name yet; `settleConnection` follows when it has. Not
 * readable by other users of the machine, as it holds the password.
 */
export function draftConnection({ connection: path }: DataFolder, connection: Connection): void {
  writeFileSync(draftOf(path), `${JSON.stringify(connection, null, 2)}\n`, { mode: 0o600 });
}

export function settleConnection({ connection }: DataFolder): void {
  renameSync(draftOf(connection), connection);
}

/** What an attempt wrote that was killed before it settled. */
export function readDraft({ connection }: DataFolder): Connection | undefined {
  return readFile(draftOf(connection));
}

function draftOf(connection: string): string {
  return `${connection}.new`;
}

function readFile(path: string): Connection | undefined {
  if (!existsSync(path)) return undefined;
  const connection: Connection = JSON.parse(readFileSync(path, 'utf8')); // written by us alone
  return connection;
}

export function connectionUrl({ user, password, database }: Connection, port: number): string {
  return `postgres://${user}:${password}@127.0.0.1:${port}/${database}`;
}
