import type { BlobStore } from '@dmarc-ledger/blobs';
import { countReceivedSince, findMessage, identifyCaller, isStorageFailure, type Database, type MessageStory } from '@dmarc-ledger/db';
import { UploadRefused, type DeliveryStatus, type UploadHost } from '@dmarc-ledger/inlets';
import { receiveMessages } from '@dmarc-ledger/pipeline';
import { idText, instantText, parseId, readCredentials } from '@dmarc-ledger/vocabulary';

/** What one organization may hand in within an hour. */
const MESSAGES_AN_HOUR = 20_000;
const HOUR_MS = 3_600_000;
const CHALLENGE = { 'www-authenticate': 'Bearer realm="api", error="invalid_token"' };

/** Uploads against the ledger: whose key, how many, and where a delivery stands. */
export function uploadHost(needs: { database: Database; blobs: BlobStore; onFault: (error: unknown) => void }): UploadHost {
  const { database: { db }, blobs, onFault } = needs;
  return {
    onFault,
    async admit(rawHeaders) {
      const credentials = readCredentials(rawHeaders);
      const caller = credentials.kind === 'bearer' ? await identifyCaller(db, credentials.token).catch(unavailable) : undefined;
      if (!caller) throw new UploadRefused(401, 'Invalid API Key', undefined, { headers: CHALLENGE });
      if (!caller.permissions.has('report:ingest')) {
        throw new UploadRefused(403, 'Insufficient Scope', undefined, { required: 'report:ingest' });
      }
      return caller.orgId;
    },
    async receive(orgId, { name, content }) {
      if ((await countReceivedSince(db, orgId, new Date(Date.now() - HOUR_MS))) >= MESSAGES_AN_HOUR) {
        throw new UploadRefused(429, 'Too Many Uploads', 'rate_limited', { headers: { 'retry-after': '300' } });
      }
      const [received] = await receiveMessages({ db, blobs }, orgId, [{ content, source: 'upload', name }]).catch(tooLarge);
      return { id: idText(received!.id), state: 'received' };
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
    id: idText(id), state, code, name, size,
    received_at: instantText(receivedAt),
    finished_at: finishedAt && instantText(finishedAt),
    parts: parts.map((part) => ({ ...part, reports: part.reports.map((report) => ({ ...report, id: idText(report.id) })) })),
  };
}

function unavailable(error: unknown): never {
  if (isStorageFailure(error)) throw new UploadRefused(503, 'Service Unavailable', undefined, { headers: { 'retry-after': '5' } });
  throw error;
}

function tooLarge(error: unknown): never {
  if (error instanceof Error && 'code' in error && error.code === 'blob_too_large') {
    throw new UploadRefused(413, 'Payload Too Large', 'payload_too_large');
  }
  throw error;
}
