import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openBlobs, type BlobStore } from '@dmarc-ledger/blobs';
import { refersToBytes } from '@dmarc-ledger/ledger';
import { type Database, databaseEnv, migrate, openDatabase } from '@dmarc-ledger/schema';
import { redisEnv } from '@dmarc-ledger/queues/env';
import { blobEnv, dataEnv, logEnv, lookupEnv, secretEnv } from '@dmarc-ledger/runtime';
import { openSecretBox, type SecretBox } from '@dmarc-ledger/secrets';
import { secretKeyOf } from './own-secret.ts';
import { withBlobUrl, withDatabase, withDataDir } from './installation-error.ts';

/** The environment variables of every command. */
export const installationEnv = {
  ...dataEnv,
  ...databaseEnv,
  ...redisEnv,
  ...blobEnv,
  ...secretEnv,
  ...logEnv,
  ENRICHMENT: lookupEnv.ENRICHMENT,
};

export interface InstallationOptions {
  DATA_DIR: string;
  DATABASE_URL?: string | undefined;
  REDIS_URL?: string | undefined;
  BLOB_URL?: string | undefined;
  SECRET_KEY?: string | undefined;
  ENRICHMENT?: 'on' | 'off' | undefined;
}

/** The shared resources of one ledger: its database, its blobs, its secrets, its queue's address. */
export interface Installation {
  database: Database;
  databaseUrl: string;
  redisUrl: string | undefined;
  blobs: BlobStore;
  /** Undefined without a key: on a shared database. */
  secrets: SecretBox | undefined;
  /** False while nothing is looked up about addresses. */
  areAddressesLookedUp: boolean;
  dataDir: string;
  close(): Promise<void>;
}

/** Where the database is: at `DATABASE_URL`, else embedded under `DATA_DIR`, started or joined. */
export async function openDatabaseServer(
  { DATABASE_URL, DATA_DIR }: InstallationOptions,
  onProgress?: (line: string) => void,
): Promise<{ url: string; close(): Promise<void> }> {
  if (DATABASE_URL) return { url: DATABASE_URL, close: async () => undefined };
  const dataDir = join(resolve(DATA_DIR), 'postgres');
  const { startLocalPostgres } = await import('@dmarc-ledger/local-postgres'); // not needed beside a shared database
  const local = await withDataDir(resolve(DATA_DIR), () =>
    startLocalPostgres({ dataDir, onProgress, isKeptRunning: true }),
  );
  return { url: local.url, close: () => local.stop() };
}

export interface InstallationObserver {
  /** Receives a line for each step of an opening that takes long. */
  onProgress?: ((line: string) => void) | undefined;
  /** Receives the error of a database connection that was lost while nothing used it; the next use opens another. */
  onConnectionLost?: ((error: Error) => void) | undefined;
  /** Receives the folder of raw bytes that holds none although the ledger refers to some. */
  onBytesAway?: ((folder: string) => void) | undefined;
}

/**
 * Opens the ledger that the environment names, and migrates its schema. An empty folder that BLOB_URL names is not
 * taken for a new store when the ledger refers to bytes: its volume may not be mounted.
 */
export async function openInstallation(
  options: InstallationOptions,
  { onProgress, onConnectionLost, onBytesAway }: InstallationObserver = {},
): Promise<Installation> {
  const dataDir = resolve(options.DATA_DIR);
  const server = await openDatabaseServer(options, onProgress);
  const database = openDatabase(server.url, {
    connections: 20,
    ...(onConnectionLost && { onError: onConnectionLost }),
  });
  const close = async () => {
    await database.close();
    await server.close();
  };
  try {
    await withDatabase(() => migrate(server.url));
    const blobs = await openBlobsOf(options, dataDir, async (folder) => {
      const isNew = !(await refersToBytes(database.db));
      if (!isNew) onBytesAway?.(folder);
      return isNew;
    });
    const secretKey = await withDataDir(dataDir, () => secretKeyOf(options, dataDir));
    const secrets = secretKey ? openSecretBox(secretKey) : undefined;
    return {
      database,
      databaseUrl: server.url,
      redisUrl: options.REDIS_URL,
      blobs,
      secrets,
      areAddressesLookedUp: options.ENRICHMENT !== 'off',
      dataDir,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openBlobsOf(
  { BLOB_URL }: InstallationOptions,
  dataDir: string,
  mayBegin: (folder: string) => Promise<boolean>,
): Promise<BlobStore> {
  if (BLOB_URL) return await withBlobUrl(() => openBlobs(BLOB_URL, mayBegin));
  return await withDataDir(dataDir, () => openBlobs(pathToFileURL(join(dataDir, 'blobs')).href));
}
