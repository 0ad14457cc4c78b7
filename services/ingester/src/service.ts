import { recentBlobs, type BlobStore } from '@dmarc-ledger/blobs';
import { openClaimant, openDimensions } from '@dmarc-ledger/ledger';
import type { Database } from '@dmarc-ledger/schema';
import { makeUploadServer } from '@dmarc-ledger/inlets';
import {
  BEARING,
  ok,
  runIntake,
  warning,
  watchDiskSpace,
  watchInstallation,
  type DiskSpace,
  type Finding,
  type RecentReports,
} from '@dmarc-ledger/pipeline';
import type { Logger, Metrics, Tracing } from '@dmarc-ledger/runtime';
import { showIntake } from './intake-metrics.ts';
import { showMailboxes } from './mailbox-metrics.ts';
import { rawHost } from './raw-host.ts';
import { settingsHost } from './settings-host.ts';
import type { SettingsNeeds } from './settings-needs.ts';
import { runMailboxes, type MailboxOptions } from './mailboxes.ts';
import { watchIntake } from './watch-intake.ts';
import { uploadHost, type UploadLimits } from './upload-host.ts';

export type { MailboxOptions } from './mailboxes.ts';

export interface IngesterNeeds {
  database: Database;
  blobs: BlobStore;
  /** Keeps what was just stored for a worker of this process. */
  recent?: RecentReports | undefined;
  log: Logger;
  /** The address for uploads; without it, none are received. */
  upload?: { host: string; port: number; limits?: Partial<UploadLimits>; leastFreeDisk?: number };
  /** How mailboxes are read; without it, none are. */
  mailboxes?: MailboxOptions | undefined;
  /** How settings are changed for the pages; without it, they are not. */
  settings?: Omit<SettingsNeeds, 'database' | 'blobs'> | undefined;
  /** The metrics of the process, to which it adds its own; without them, it counts nothing. */
  metrics?: Metrics | undefined;
  tracing?: Tracing | undefined;
}

export interface RunningIngester {
  /** The actual address for uploads, for when the system chose the port. */
  uploadUrl: string | null;
  close(): Promise<void>;
}

const ROOM_ASKED_EVERY_MS = 5_000;
/** The part of the least free space below which received deliveries are not read either. */
const READING_PART = 1 / 3;

/** Receives deliveries and stores their contents. */
export async function startIngester(needs: IngesterNeeds): Promise<RunningIngester> {
  const { database, log, upload, mailboxes, metrics, tracing } = needs;
  const blobs = recentBlobs(needs.blobs);
  const figures = metrics && showIntake(metrics, needs);
  const observer = watchIntake(log, figures?.observer, tracing);
  if (metrics) showMailboxes(metrics, database);
  const ending = new AbortController();
  const fetching = new AbortController();
  const claimant = openClaimant(database);
  const onFault = (message: string, error: unknown, about: object = {}) =>
    log.error({ event: 'intake.fault', ...about, error }, message);
  const leastFree = upload?.leastFreeDisk ?? BEARING.freeDisk;
  const hasSpace = watchDiskSpace({ database, blobs, leastFree, onChange: (space) => logDiskSpace(log, space) });
  const hasSpaceForRows = watchDiskSpace({
    database,
    blobs,
    leastFree: leastFree * READING_PART,
    onChange: (space) => logReading(log, space),
  });
  const intake = runIntake(
    {
      database,
      blobs,
      claimant,
      dimensions: openDimensions(database),
      observer,
      onFault,
      recent: needs.recent,
      hasSpace: hasSpaceForRows,
    },
    ending.signal,
  );
  const storing = watchInstallation(
    { database, part: 'disk', find: async () => [diskFinding(await blobs.freeSpace(), leastFree)], onFault },
    ending.signal,
  );
  const watching = setInterval(() => void hasSpace().catch(() => undefined), ROOM_ASKED_EVERY_MS).unref();
  const host = { database, blobs, claimant, observer, onAuthFailed: figures?.authFailed, onFault };
  const reading = mailboxes && runMailboxes({ ...host, ...mailboxes }, fetching.signal);
  const server =
    upload &&
    (await makeUploadServer({
      ...uploadHost({
        database,
        blobs,
        claimant,
        limits: upload.limits,
        hasSpace,
        observer,
        onFault: (error) => onFault('An upload failed.', error),
      }),
      settings: needs.settings && settingsHost({ ...needs.settings, database, blobs }),
      raw: rawHost({ database, blobs: needs.blobs }),
    }));
  const close = async () => {
    fetching.abort();
    clearInterval(watching);
    await Promise.all([server?.close(), reading]);
    ending.abort();
    await Promise.all([intake, storing]);
    claimant.release();
  };
  try {
    return { uploadUrl: server && upload ? await server.listen(upload) : null, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Logs when uploads stop for lack of space, and when they resume. */
function logDiskSpace(log: Logger, { hasSpace, free, isDatabaseFull }: DiskSpace): void {
  if (hasSpace)
    return log.info({ event: 'intake.storage_ok', free }, 'there is disk space again: uploads are accepted');
  const why = isDatabaseFull ? 'the database has no space left' : 'the disk with the raw bytes is nearly full';
  log.warn({ event: 'intake.storage_low', free, isDatabaseFull }, `${why}: uploads are rejected for now`);
}

/** The same for reading: received deliveries wait meanwhile. */
function logReading(log: Logger, { hasSpace, free, isDatabaseFull }: DiskSpace): void {
  if (hasSpace) return log.info({ event: 'intake.resumed', free }, 'there is disk space again: deliveries are read');
  const why = isDatabaseFull ? 'the database has no space left' : 'the disk is nearly full';
  log.warn(
    { event: 'intake.paused', free, isDatabaseFull },
    `${why}: received deliveries are kept, and read once there is space`,
  );
}

/** How much of the disk with the raw bytes is free, for the page of operators. */
function diskFinding(free: number | null, leastFree: number): Finding {
  if (free === null) return ok('raw bytes', 'They are on S3.');
  const says = `${Math.floor(free * 100)} % of the disk is free.`;
  const mend = 'Free some space: uploads are rejected for now, and mail stays in its mailbox.';
  return free < leastFree ? warning('raw bytes', says, mend) : ok('raw bytes', says);
}
