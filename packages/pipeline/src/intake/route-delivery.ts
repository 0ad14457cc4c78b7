import { assignMessage, findClaims, transact, type Database } from '@dmarc-ledger/db';
import { publicSuffixDomains } from '@dmarc-ledger/dmarc';
import { readHeader, ReportError } from '@dmarc-ledger/rua';
import { UnpackError } from '@dmarc-ledger/unpack';
import type { OpenedDelivery, OpenedDocument } from './open-delivery.ts';
import { readDocument } from './read-documents.ts';
import { chooseTargets, ownedNames, type Targets } from './routing.ts';
import { domainsOf } from './selection.ts';

const organizationalDomain = publicSuffixDomains();

/**
 * Decides to whom the reports in a shared mailbox's delivery belong, and gives each of the others a delivery of its own
 * with the same bytes. What is left is what the owner takes. Running it again changes nothing.
 */
export async function routeDelivery(
  { database }: { database: Database },
  orgId: string,
  delivery: OpenedDelivery,
): Promise<OpenedDelivery> {
  const targets = await findTargets(database, delivery);
  const onlyDomains = targets.has(orgId) ? targets.get(orgId)! : [];
  targets.delete(orgId);
  const { message, mailFacts } = delivery;
  await transact(database, (session) => assignMessage(session, orgId, { message, mailFacts, onlyDomains, targets }));
  return { ...delivery, selection: { onlyDomains, others: [...targets.values()] } };
}

/** To whom a delivery would go; nothing is written. */
export async function findTargets({ db }: Database, delivery: OpenedDelivery): Promise<Targets> {
  const reports = await domainsOfReports(delivery);
  const names = reports.flat().flatMap((domain) => ownedNames(domain, organizationalDomain));
  const own = delivery.message.mailbox?.address.toLowerCase(); // which all mail in it is sent to
  const addresses = delivery.recipients.filter((address) => address.toLowerCase() !== own);
  const claims = await findClaims(db, { addresses, names: [...new Set(names)] });
  return chooseTargets(claims, reports, organizationalDomain);
}

async function domainsOfReports(delivery: OpenedDelivery): Promise<string[][]> {
  const all: string[][] = [];
  for (const document of delivery.documents) all.push(...(await domainsIn(delivery, document)));
  return all;
}

async function domainsIn(delivery: OpenedDelivery, document: OpenedDocument): Promise<string[][]> {
  if (document.kind === 'refused') return [];
  if (document.kind === 'large') return await domainsInLarge(delivery, document);
  const reading = readDocument(document, delivery);
  delivery.readings.set(document, reading); // it is read once, here
  return [...reading.readings.map(({ header }) => [header.policyPublished.domain]), ...reading.others.map(domainsOf)];
}

/** The header tells; what is wrong with the document is said when it is stored. */
async function domainsInLarge(
  { message }: OpenedDelivery,
  { document, name }: Extract<OpenedDocument, { kind: 'large' }>,
): Promise<string[][]> {
  try {
    const receivedAt = Math.floor(message.receivedAt.getTime() / 1000);
    const { policyPublished } = await readHeader(document.open(), { receivedAt, name });
    return [[policyPublished.domain]];
  } catch (error) {
    if (error instanceof ReportError || error instanceof UnpackError) return [];
    throw error;
  }
}
