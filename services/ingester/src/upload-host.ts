import type { BlobStore } from '@dmarc-ledger/blobs';
import {
  type Claimant,
  countReceivedSince,
  findMessage,
  findTicketOwner,
  identifyCaller,
  type MessageDetails,
} from '@dmarc-ledger/ledger';
import { type Database, isStorageFailure } from '@dmarc-ledger/schema';
import { tooLarge, type DeliveryStatus, type UploadedBody, type UploadHost } from '@dmarc-ledger/inlets';
import {
  ARRIVAL_LIMIT,
  openUploadBudget,
  receiveMessages,
  UPLOAD_BUDGET,
  UploadBudgetError,
  type IntakeObserver,
  type UploadBudgetLimits,
} from '@dmarc-ledger/pipeline';
import {
  errorCode,
  HttpProblem,
  idText,
  instantText,
  parseId,
  readCredentials,
  type Credentials,
} from '@dmarc-ledger/vocabulary';

/** The upload limits of one organization. */
export interface UploadLimits extends UploadBudgetLimits {
  /** Received within an hour, through any channel. */
  messagesAnHour: number;
  /** Of one delivery. */
  bytes: number;
}

const LIMITS: UploadLimits = {
  ...UPLOAD_BUDGET,
  messagesAnHour: 20_000,
  bytes: ARRIVAL_LIMIT,
};
const HOUR_MS = 3_600_000;
/** SQLSTATE disk_full. */
const DISK_FULL = '53100';
const FORBIDDEN = { 'www-authenticate': 'Bearer realm="api", error="insufficient_scope", scope="ingest"' };

/** Connects uploads to the ledger: the owner of a key, the budget, and the state of a delivery. */
export function uploadHost(needs: {
  database: Database;
  blobs: BlobStore;
  claimant: Claimant;
  limits?: Partial<UploadLimits> | undefined;
  /** False while nothing more may be received: the sender has to retry later. */
  hasSpace: () => Promise<boolean>;
  observer?: IntakeObserver | undefined;
  onFault: (error: unknown) => void;
}): UploadHost {
  const { database, blobs, hasSpace, observer, onFault } = needs;
  const { db } = database;
  const limits = { ...LIMITS, ...needs.limits };
  const budget = openUploadBudget(needs, limits);

  const refused = (error: unknown) => refuse(error, onFault);

  const receive = async (orgId: string, { name, content }: UploadedBody) => {
    if ((await countReceivedSince(db, orgId, new Date(Date.now() - HOUR_MS))) >= limits.messagesAnHour)
      throw refusedUntil('Too Many Uploads', 300);
    const arrival = { content, source: 'upload', name } as const;
    const [received] = await receiveMessages({ database, blobs }, orgId, [arrival], limits.bytes);
    if (!received) throw new Error('An upload was stored without a result.');
    observer?.received('upload', { fresh: received.fresh });
    const known = received.fresh ? undefined : await findMessage(db, orgId, received.id);
    return { id: idText(received.id), state: known?.state ?? 'received' };
  };

  return {
    onFault,
    async admit(rawHeaders) {
      const credentials = readCredentials(rawHeaders);
      if (credentials.kind === 'bearer') {
        const orgId = await findTicketOwner(db, credentials.token).catch(unavailable);
        if (orgId !== undefined) return orgId;
      }
      const caller =
        credentials.kind === 'bearer' ? await identifyCaller(db, credentials.token).catch(unavailable) : undefined;
      if (!caller) throw unauthorized(credentials);
      if (!caller.permissions.has('report:ingest')) throw forbidden();
      return caller.orgId;
    },
    async begin(orgId, length, isForm) {
      // before the budget, which would say to try again later
      if (length !== null && length > (isForm ? limits.bytesUnderWay : limits.bytes)) throw tooLarge();
      if (!(await hasSpace())) throw storageLow();
      const share = await budget.open(orgId, length).catch(refused);
      return {
        async receive({ name, content }) {
          const counted = watched(content, (chunk) => share.took(chunk.length));
          const status = await receive(orgId, { name, content: counted }).catch(refused);
          share.delivered();
          return status;
        },
        end: () => share.close(),
      };
    },
    async find(orgId, id) {
      const uuid = parseId(id);
      const message = uuid && (await findMessage(db, orgId, uuid));
      return message ? statusOf(message) : undefined;
    },
  };
}

/** A delivery in a response: its state, and its contents. */
function statusOf({ id, state, code, name, size, receivedAt, finishedAt, parts }: MessageDetails): DeliveryStatus {
  return {
    id: idText(id),
    state,
    code,
    name,
    size,
    received_at: instantText(receivedAt),
    finished_at: finishedAt && instantText(finishedAt),
    parts: parts.map((part) => ({
      ...part,
      reports: part.reports.map((report) => ({ ...report, id: idText(report.id) })),
    })),
  };
}

/** A missing key is requested; an unknown one is reported as invalid, whatever its fault. (RFC 6750, 3) */
function unauthorized({ kind }: Credentials): HttpProblem {
  const error = kind === 'none' ? '' : ', error="invalid_token"';
  const headers = { 'www-authenticate': `Bearer realm="api"${error}` };
  return new HttpProblem('unauthorized', { status: 401, error: 'Invalid API Key', headers });
}

function forbidden(): HttpProblem {
  const refusal = { status: 403, error: 'Permission Denied', required: 'report:ingest', headers: FORBIDDEN };
  return new HttpProblem('forbidden', refusal);
}

function unavailable(error: unknown): never {
  if (!isStorageFailure(error)) throw error;
  const headers = { 'retry-after': '5' };
  throw new HttpProblem('unavailable', { status: 503, error: 'Service Unavailable', headers }, { cause: error });
}

/** The response to a fault while receiving an upload; a full disk is also reported to the operator. */
function refuse(error: unknown, onFault: (error: unknown) => void): never {
  if (error instanceof UploadBudgetError) throw refusedUntil('Too Many Uploads', error.afterSeconds);
  const code = errorCode(error);
  if (code === 'blob_too_large') throw tooLarge();
  if (code === 'ENOSPC' || code === 'EDQUOT' || code === DISK_FULL) {
    onFault(error);
    throw storageLow();
  }
  const isOfFiles = error instanceof Error && 'syscall' in error && error.syscall !== 'connect';
  if (isOfFiles) throw error;
  return unavailable(error);
}

function refusedUntil(error: string, seconds: number): HttpProblem {
  const headers = { 'retry-after': String(seconds) };
  return new HttpProblem('rate_limited', { status: 429, error, code: 'rate_limited', headers });
}

function storageLow(): HttpProblem {
  const headers = { 'retry-after': '60' };
  return new HttpProblem('storage_low', { status: 503, error: 'Storage Nearly Full', code: 'storage_low', headers });
}

async function* watched(
  chunks: AsyncIterable<Uint8Array>,
  see: (chunk: Uint8Array) => Promise<void>,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    await see(chunk);
    yield chunk;
  }
}
