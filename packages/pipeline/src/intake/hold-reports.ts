import {
  type CopyKey,
  copyKeyText,
  findBringers,
  findProvenIdentities,
  findVouchedCopies,
  HELD_CODE,
  type HeldRevision,
  holdsUnauthenticated,
  IMPORT_HELD_CODE,
  reopenChoice,
  storedCopyText,
} from '@dmarc-ledger/ledger';
import { type Database, type Db, type MessagePart, transact } from '@dmarc-ledger/schema';
import { type ReportHeader, type ReportSums, statedReporter } from '@dmarc-ledger/dmarc';
import { bestOf, isAuthenticated } from './copy-origin.ts';
import type { OpenedDelivery } from './open-delivery.ts';
import { reportIdentity } from './report-identity.ts';

/** Whether an import brought it, not what the reporter sent. */
export function isRebuilt({ message }: Pick<OpenedDelivery, 'message'>): boolean {
  return message.source === 'import';
}

/** Whether a report may be held: it is unproven, or its mail failed as the reporter's; and it was not released. */
export function isDoubtful(delivery: OpenedDelivery, { metadata }: ReportHeader): boolean {
  return !delivery.message.isReleased && (isRebuilt(delivery) || isAuthenticated(delivery, metadata) === false);
}

/** A report in a delivery, and the content it was found in. */
export interface FoundCopy {
  delivery: OpenedDelivery;
  header: ReportHeader;
  payloadSha256: Buffer;
}

/**
 * Returns those of these reports that the organization holds instead of counting them. A copy that other mail has
 * brought before is not held: it adds nothing. Nor is an unproven report that is stored as others brought it. (rules,
 * copies/held-reports; rules, copies/unproven-copies)
 */
export async function holdBack<Found extends FoundCopy>(
  database: Database,
  orgId: string,
  reports: readonly Found[],
): Promise<Set<Found>> {
  const heldBack = await findHeldBack(database.db, orgId, reports);
  // a copy that was stored before it was held competes no longer
  if (heldBack.size > 0)
    await transact(database, (session) => reopenChoice(session, orgId, [...heldBack].map(copyKeyOf)));
  return heldBack;
}

/** The same for a preview, which changes nothing. */
export async function findHeldBack<Found extends FoundCopy>(
  db: Db,
  orgId: string,
  reports: readonly Found[],
): Promise<Set<Found>> {
  const doubtful = reports.filter(({ delivery, header }) => isDoubtful(delivery, header));
  const mailed = doubtful.filter(({ delivery }) => !isRebuilt(delivery));
  const rebuilt = doubtful.filter(({ delivery }) => isRebuilt(delivery));
  const isHolding = mailed.length > 0 && (await holdsUnauthenticated(db, orgId));
  const vouched = isHolding ? await findVouched(db, orgId, mailed) : new Set<Found>();
  const proven = await findProvenIdentities(db, orgId, rebuilt.map(namedIn));
  return new Set([
    ...(isHolding ? mailed.filter((copy) => !vouched.has(copy)) : []),
    ...rebuilt.filter((copy) => !proven.has(namedIn(copy).identity.toString('hex'))),
  ]);
}

/**
 * Returns those of these reports that are stored as other mail brought them, whatever the delivery that is read again
 * had proved before.
 */
async function findVouched<Found extends FoundCopy>(
  db: Db,
  orgId: string,
  reports: readonly Found[],
): Promise<Set<Found>> {
  const stored = await findVouchedCopies(db, orgId, reports.map(copyKeyOf));
  const vouched = reports.flatMap((found) => {
    const reportId = stored.get(copyKeyText(copyKeyOf(found)));
    return reportId === undefined ? [] : [{ found, copy: { reportId, payloadSha256: found.payloadSha256 } }];
  });
  const again = vouched.filter(({ found }) => found.delivery.message.isReread);
  const copies = new Map(again.map(({ copy }) => [storedCopyText(copy), copy]));
  const bringers = await findBringers(db, orgId, [...copies.values()]);
  const isVouched = ({ found: { delivery, header }, copy }: (typeof vouched)[number]) => {
    const others = bringers.get(storedCopyText(copy))?.filter(({ messageId }) => messageId !== delivery.message.id);
    return bestOf(others ?? [], header.metadata) !== false;
  };
  return new Set(vouched.filter((one) => !again.includes(one) || isVouched(one)).map(({ found }) => found));
}

function namedIn({ header }: FoundCopy) {
  return { identity: reportIdentity(header), header };
}

export function copyKeyOf({ header, payloadSha256 }: Pick<FoundCopy, 'header' | 'payloadSha256'>): CopyKey {
  return { identity: reportIdentity(header), payloadSha256 };
}

/**
 * Whether a stored copy is held by now: only imports brought it, or only failing mail where the organization holds what
 * such mail brings; and it was not released. A copy whose raw bytes are gone is never held, because it could not be
 * counted again.
 */
export async function keptBack(
  db: Db,
  orgId: string,
  revisions: readonly HeldRevision[],
): Promise<(revision: HeldRevision) => boolean> {
  const mayBeHeld = ({ message }: HeldRevision) => message !== null && !message.isReleased;
  const isFailed = (revision: HeldRevision) => revision.authenticated === false && mayBeHeld(revision);
  const isHolding = revisions.some(isFailed) && (await holdsUnauthenticated(db, orgId));
  return (revision) => (isHolding && isFailed(revision)) || (revision.isUnproven && mayBeHeld(revision));
}

/** The ledger's entry of a report that is held. */
export function heldPart(
  { path, sha256, isImported }: { path: string; sha256: string; isImported: boolean },
  { metadata, policyPublished: { domain } }: ReportHeader,
  { records, messages }: Pick<ReportSums, 'records' | 'messages'>,
): MessagePart {
  const message = isImported ? IMPORTED : FAILED;
  const code = isImported ? IMPORT_HELD_CODE : HELD_CODE;
  const held = { domain, reporter: statedReporter(metadata), records, messages };
  return { path, kind: 'rua', sha256, outcome: 'refused', code, message, reports: [], warnings: [], held };
}

const FAILED = 'Its mail did not pass as the reporter. If the report is genuine, release it with: intake release.';
const IMPORTED =
  'It was imported without what the reporter sent. To count it, release it with: intake release --imported.';
