import { assignMessage, findClaims, takeAllDomains } from '@dmarc-ledger/ledger';
import { type Database, type Db, transact } from '@dmarc-ledger/schema';
import { publicSuffixDomains } from '@dmarc-ledger/dmarc';
import type { BlobStore } from '@dmarc-ledger/blobs';
import { headerOf } from './large-reading.ts';
import { closeDelivery, documentsOf, openDelivery, type OpenedDelivery, type OpenedDocument } from './open-delivery.ts';
import { isRefusal, readDocument } from './read-documents.ts';
import { chooseTargets, ownedNames, type Targets } from './routing.ts';
import { domainsOf, EVERYTHING } from './selection.ts';

interface Needs {
  database: Database;
  blobs: BlobStore;
}

const organizationalDomain = publicSuffixDomains();

/**
 * Decides which organizations own the reports in a shared mailbox's delivery, and gives each of the others a delivery
 * of its own with the same bytes. Returns the part that the mailbox's owner takes. Running it again changes nothing.
 */
export async function routeDelivery(needs: Needs, orgId: string, delivery: OpenedDelivery): Promise<OpenedDelivery> {
  const targets = await findTargets(needs, delivery);
  const onlyDomains = domainsOfOwner(targets, orgId, delivery);
  targets.delete(orgId);
  const { message, mailFacts } = delivery;
  await transact(needs.database, (session) =>
    assignMessage(session, orgId, { message, mailFacts, onlyDomains, targets }),
  );
  return { ...delivery, selection: { onlyDomains, others: [...targets.values()] } };
}

/**
 * What the owner of a shared mailbox takes of a delivery; null: all of it, as of what the owner has brought as a file,
 * an upload or by a mailbox of its own alone, too. (rules, organizations/owner-of-a-report)
 */
export function domainsOfOwner(
  targets: Targets,
  orgId: string,
  { message }: Pick<OpenedDelivery, 'message'>,
): string[] | null {
  const own = targets.get(orgId);
  if (message.source !== 'mailbox' || message.mailboxes?.isOwn) return null;
  return own === undefined ? [] : own;
}

/**
 * Takes all of a delivery that came by mailboxes which are no longer shared: it belongs to their owner, including the
 * domains that were assigned to other organizations or to none. A part that another organization's mailbox assigned to
 * this one stays a part.
 */
export async function takeWhole(db: Db, orgId: string, delivery: OpenedDelivery): Promise<OpenedDelivery> {
  const whole = asWhole(delivery);
  if (whole !== delivery) await takeAllDomains(db, orgId, delivery.message.id);
  return whole;
}

/** The same for a preview, which writes nothing. */
export function asWhole(delivery: OpenedDelivery): OpenedDelivery {
  const { mailboxes, onlyDomains } = delivery.message;
  return mailboxes && onlyDomains !== null ? { ...delivery, selection: EVERYTHING } : delivery;
}

/** The organizations that a delivery would go to; writes nothing. */
export async function findTargets({ database: { db }, blobs }: Needs, delivery: OpenedDelivery): Promise<Targets> {
  const reports = await domainsOfReports(blobs, delivery);
  const names = reports.flat().flatMap((domain) => ownedNames(domain, organizationalDomain));
  const own = delivery.message.mailboxes?.sharedAddresses ?? []; // which all mail in them is sent to
  const addresses = delivery.recipients.filter((address) => !own.includes(address.toLowerCase()));
  const claims = await findClaims(db, { addresses, names: [...new Set(names)] });
  return chooseTargets(claims, reports, organizationalDomain);
}

/** A delivery with more documents than the opened ones is read in a separate walk: the opened ones stay untouched. */
async function domainsOfReports(blobs: BlobStore, delivery: OpenedDelivery): Promise<string[][]> {
  const all: string[][] = [];
  const walked = delivery.rest ? await openDelivery(blobs, delivery.message) : delivery;
  try {
    for await (const document of documentsOf(walked)) {
      for (const domains of await domainsIn(walked, document)) all.push(domains);
      if (walked !== delivery) walked.readings.delete(document);
    }
  } finally {
    if (walked !== delivery) await closeDelivery(walked);
  }
  return all;
}

/**
 * A small document is read once, here; for a large one, the header suffices. Its faults are recorded when it is stored.
 */
async function domainsIn(delivery: OpenedDelivery, document: OpenedDocument): Promise<string[][]> {
  if (document.kind === 'refused') return [];
  if (document.kind === 'whole') {
    const reading = await readDocument(document, delivery);
    return [...reading.readings.map(({ header }) => [header.policyPublished.domain]), ...reading.others.map(domainsOf)];
  }
  try {
    return [[(await headerOf(delivery, document)).policyPublished.domain]];
  } catch (error) {
    if (isRefusal(error)) return [];
    throw error;
  }
}
