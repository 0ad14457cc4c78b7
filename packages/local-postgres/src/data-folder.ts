import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/**
 * What lies in one data folder: the cluster itself, the way to connect to it, the server's log, the lock, the users.
 */
export interface DataFolder {
  root: string;
  cluster: string;
  connection: string;
  log: string;
}

/**
 * Makes the folder when it is new. Those who pass through may enter it: the server runs as somebody else under root.
 */
export function openDataFolder(dataDir: string): DataFolder {
  const root = resolve(dataDir);
  if (!existsSync(root)) {
    mkdirSync(root, { recursive: true });
    chmodSync(root, 0o755);
  }
  return {
    root,
    cluster: join(root, 'cluster'),
    connection: join(root, 'connection.json'),
    log: join(root, 'server.log'),
  };
}

/** How to connect, and where the cluster lies when it could not lie in the data folder. */
export interface Connection {
  user: string;
  password: string;
  database: string;
  cluster?: string;
}

export function readConnection(folder: DataFolder): Connection | undefined {
  if (!existsSync(folder.connection)) return undefined;
  const connection: Connection = JSON.parse(readFileSync(folder.connection, 'utf8')); // written by us alone
  return connection;
}

/** Kept from other users of the machine: it holds the password. */
export function writeConnection(folder: DataFolder, connection: Connection): void {
  writeFileSync(folder.connection, `${JSON.stringify(connection, null, 2)}\n`, { mode: 0o600 });
}

export function connectionUrl({ user, password, database }: Connection, port: number): string {
  return `postgres://${user}:${password}@127.0.0.1:${port}/${database}`;
}
