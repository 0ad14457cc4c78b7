import type { BlobStore } from '@dmarc-ledger/blobs';
import { findStored, type HeldReport, type HeldRevision } from '@dmarc-ledger/ledger';
import type { Database } from '@dmarc-ledger/schema';
import { type CandidateCopy, compareReceipt } from './choose-copy.ts';
import { digestHeader, digestRecords } from './copy-digests.ts';
import { isThere } from './missing-bytes.ts';
import { rereadCopy, type Reread } from './reread-copy.ts';
import { storedRecords } from './stored-records.ts';

interface Needs {
  database: Database;
  blobs: BlobStore;
}

/**
 * The number of copies that are compared with each other, the best by the facts of their mails: anybody can mail copies
 * of a report whose id can be guessed. Also bounded by the size of their digests: 8 bytes a record.
 */
const COMPARED = { copies: 16, records: 8_000_000 };

/** Reads the copies of a report that are not held, the best by the facts of their mails first. */
export async function readCandidates(
  needs: Needs,
  orgId: string,
  held: HeldReport,
  isKeptBack: (revision: HeldRevision) => boolean,
): Promise<CandidateCopy[]> {
  const copies: CandidateCopy[] = [];
  let records = 0;
  for (const revision of rankedRevisions(held)) {
    if (isKeptBack(revision)) continue;
    if (revision.isUnproven && copies[0]?.isUnproven === false) break; // the weakest: not even compared
    const candidate = await readCandidate(needs, orgId, held, revision);
    if (!candidate) continue;
    records += candidate.recordDigests.length;
    if (copies.length > 0 && records > COMPARED.records) break;
    if (copies.push(candidate) === COMPARED.copies) break;
  }
  return copies;
}

/**
 * Orders copies as the choice would if records did not matter, the best first and unproven ones last; independent of
 * the order of arrival. (rules, copies/unproven-copies)
 */
function rankedRevisions({ revisions }: HeldReport): HeldRevision[] {
  return revisions.toSorted(
    (a, b) =>
      Number(a.isUnproven) - Number(b.isUnproven) ||
      Number(b.authenticated === true) - Number(a.authenticated === true) ||
      compareReceipt(a.mailReceivedAt?.getTime() ?? null, b.mailReceivedAt?.getTime() ?? null) ||
      Buffer.compare(a.payloadSha256, b.payloadSha256),
  );
}

/**
 * A copy as the choice compares it, by the current rules. The records of the counted copy outlive its bytes: then it is
 * judged by them. Nothing remains of any other copy without bytes, which leaves the choice that it had lost before.
 */
async function readCandidate(
  { database: { db }, blobs }: Needs,
  orgId: string,
  held: HeldReport,
  revision: HeldRevision,
): Promise<CandidateCopy | undefined> {
  const isCounted = revision.payloadSha256.equals(held.payloadSha256);
  const read =
    (await rereadRevision(blobs, held, revision)) ??
    (isCounted && !(await hasBytes(blobs, revision)) ? await storedCopy(db, orgId, held.id) : undefined);
  if (!read) return undefined;
  return {
    payloadSha256: revision.payloadSha256,
    headerDigest: digestHeader(read.header),
    recordDigests: await digestRecords(read.records()),
    authenticated: revision.authenticated,
    isUnproven: revision.isUnproven,
    mailReceivedAt: revision.mailReceivedAt?.getTime() ?? null,
  };
}

/** Reads a copy again; undefined once its bytes are gone. */
export async function rereadRevision(
  blobs: BlobStore,
  { identity }: HeldReport,
  revision: HeldRevision,
): Promise<Reread | undefined> {
  return revision.message ? await rereadCopy(blobs, revision.message, revision, identity) : undefined;
}

async function hasBytes(blobs: BlobStore, { message }: HeldRevision): Promise<boolean> {
  return message !== null && (await isThere(blobs, message.sha256));
}

async function storedCopy(
  db: Database['db'],
  orgId: string,
  reportId: string,
): Promise<Pick<Reread, 'header' | 'records'> | undefined> {
  const [stored] = await findStored(db, orgId, { ids: [reportId] });
  return stored && { header: stored.header, records: () => storedRecords(db, orgId, reportId) };
}
