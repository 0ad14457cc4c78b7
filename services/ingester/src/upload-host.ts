import type { BlobStore } from '@dmarc-ledger/blobs';
import {
  countReceivedSince,
  findMessage,
  identifyCaller,
  isStorageFailure,
  type Database,
  type MessageStory,
} from '@dmarc-ledger/db';
import { UploadRefused, type DeliveryStatus, type UploadHost } from '@dmarc-ledger/inlets';
import { ARRIVAL_LIMIT, receiveMessages, type IntakeObserver } from '@dmarc-ledger/pipeline';
import { idText, instantText, parseId, readCredentials, type Credentials } from '@dmarc-ledger/vocabulary';

/** What one organization may hand in within an hour, and the bytes of one delivery. */
export interface UploadLimits {
  messagesAnHour: number;
  bytes: number;
}

const LIMITS: UploadLimits = { messagesAnHour: 20_000, bytes: ARRIVAL_LIMIT };
const HOUR_MS = 3_600_000;
const FORBIDDEN = { 'www-authenticate': 'Bearer realm="api", error="insufficient_scope", scope="ingest"' };

/** Uploads against the ledger: whose key, how many, and where a delivery stands. */
export function uploadHost(needs: {
  database: Database;
  blobs: BlobStore;
  limits?: Partial<UploadLimits> | undefined;
  observer?: IntakeObserver | undefined;
  onFault: (error: unknown) => void;
}): UploadHost {
  const { database, blobs, observer, onFault } = needs;
  const { db } = database;
  const { messagesAnHour, bytes } = { ...LIMITS, ...needs.limits };
  return {
    onFault,
    async admit(rawHeaders) {
      const credentials = readCredentials(rawHeaders);
      const caller =
        credentials.kind === 'bearer' ? await identifyCaller(db, credentials.token).catch(unavailable) : undefined;
      if (!caller) throw unauthorized(credentials);
      if (!caller.permissions.has('report:ingest')) {
        throw new UploadRefused(403, 'Permission Denied', undefined, { headers: FORBIDDEN, required: 'report:ingest' });
      }
      return caller.orgId;
    },
    async receive(orgId, { name, content }) {
      if ((await countReceivedSince(db, orgId, new Date(Date.now() - HOUR_MS))) >= messagesAnHour) {
        throw new UploadRefused(429, 'Too Many Uploads', 'rate_limited', { headers: { 'retry-after': '300' } });
      }
      const arrival = { content, source: 'upload', name } as const;
      const [received] = await receiveMessages({ database, blobs }, orgId, [arrival], bytes).catch(tooLarge);
      const { id, fresh } = received!;
      observer?.received('upload', { fresh });
      const known = fresh ? undefined : await findMessage(db, orgId, id);
      return { id: idText(id), state: known?.state ?? 'received' };
    },
    async find(orgId, id) {
      const uuid = parseId(id);
      const message = uuid && (await findMessage(db, orgId, uuid));
      return message ? statusOf(message) : undefined;
    },
  };
}

/** A delivery on the wire: where it stands, and what was found in it. */
function statusOf({ id, state, code, name, size, receivedAt, finishedAt, parts }: MessageStory): DeliveryStatus {
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

/** A key that was not sent is asked for; one that opens nothing is called invalid, whatever is wrong with it. (RFC 6750, 3) */
function unauthorized({ kind }: Credentials): UploadRefused {
  const error = kind === 'none' ? '' : ', error="invalid_token"';
  const headers = { 'www-authenticate': `Bearer realm="api"${error}` };
  return new UploadRefused(401, 'Invalid API Key', undefined, { headers });
}

function unavailable(error: unknown): never {
  if (isStorageFailure(error))
    throw new UploadRefused(503, 'Service Unavailable', undefined, { headers: { 'retry-after': '5' } });
  throw error;
}

function tooLarge(error: unknown): never {
  if (error instanceof Error && 'code' in error && error.code === 'blob_too_large') {
    throw new UploadRefused(413, 'Payload Too Large', 'payload_too_large');
  }
  throw error;
}
