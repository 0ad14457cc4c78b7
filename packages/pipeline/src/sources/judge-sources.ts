import {
  type Enrichment,
  findEnrichments,
  findStandings,
  senderOf,
  sourceFacts,
  type SourceStanding,
} from '@dmarc-ledger/facts';
import {
  findMailGroups,
  findSignatureEvidence,
  findUncountedSources,
  findUnjudgedSources,
  finishSources,
  holdUnjudgedSources,
  holdVersions,
  recordsOfSources,
  saveClasses,
  saveStandings,
  type Standing,
} from '@dmarc-ledger/ledger';
import { isPublicAddress } from '@dmarc-ledger/lookups';
import { type Database, transact } from '@dmarc-ledger/schema';
import { classifyRecord } from '@dmarc-ledger/dmarc';
import { abuseStatusOf, isNamed, NEVER_SCORED, type MailGroup } from '@dmarc-ledger/sources';
import { Pace } from '../pace.ts';

/**
 * Judges what addresses are to an organization, by facts or mail that have changed, and gives its failing mail from
 * them the class that follows. Changes announced meanwhile are left to the next run, and so is a source whose sums are
 * still to come. Running it again is safe. An address with much failing mail is not judged again before its time, as
 * its sender can change what it looks like with every mail.
 */
export async function judgeSources(
  { database, pace = new Pace() }: { database: Database; pace?: Pace },
  { orgId, addresses }: { orgId: string; addresses: string[] },
): Promise<void> {
  const due = addresses.filter((address) => pace.isDue(`${orgId} ${address}`));
  let waiting = await findUnjudgedSources(database.db, orgId, due);
  const asked = waiting.map(({ address }) => address);
  if (asked.length === 0) return;
  const rows = await findEnrichments(database.db, asked);
  const standings = await transact(database, async (session) => {
    const unchanged = await holdUnjudgedSources(session, orgId, waiting);
    const uncounted = await findUncountedSources(session.db, orgId, asked);
    const held = unchanged.filter(({ address }) => !uncounted.has(address)); // the others are found by the sweep again
    const mail = await findMailGroups(session.db, orgId, asked);
    const before = await findStandings(session.db, orgId, asked);
    const found = rows.flatMap((row) => standingOf(row, mail.get(row.address), before.get(row.address)));
    const kept = among(held, found, ({ address }) => address);
    await saveStandings(session, orgId, kept);
    return { held, kept };
  });
  waiting = standings.held;
  const senders = new Map(standings.kept.map(({ address, sender }) => [address, sender]));
  const facts = new Map(rows.map((row) => [row.address, sourceFacts(row, senders.get(row.address))]));
  const moved = standings.kept.filter(({ settled }) => !settled).map(({ address }) => address);
  const begun = pace.now();
  const read = new Map<string, number>();
  for await (const page of recordsOfSources(database.db, orgId, moved)) {
    for (const { record } of page) read.set(record.sourceIp, (read.get(record.sourceIp) ?? 0) + 1);
    waiting = await transact(database, async (session) => {
      const held = await holdUnjudgedSources(session, orgId, waiting);
      const current = among(held, page, ({ record }) => record.sourceIp);
      const counted = await holdVersions(
        session,
        orgId,
        current.map(({ reportId, version }) => ({ id: reportId, version })),
      );
      const kept = current.filter(({ reportId }) => counted.has(reportId));
      const signatures = await findSignatureEvidence(session.db, orgId, kept);
      const judged = kept.map((stored) => {
        const { reportId, position, day, record, alignment } = stored;
        const known = facts.get(record.sourceIp);
        return { reportId, position, day, ...classifyRecord(record, alignment, known, signatures.of(stored)) };
      });
      await saveClasses(session, orgId, judged);
      return held;
    });
  }
  await transact(database, (session) => finishSources(session, orgId, waiting));
  const eachMs = (pace.now() - begun) / [...read.values()].reduce((sum, records) => sum + records, 0);
  for (const [address, records] of read) pace.ended(`${orgId} ${address}`, records * eachMs);
}

function among<Item>(
  held: readonly { address: string }[],
  items: readonly Item[],
  addressOf: (item: Item) => string,
): Item[] {
  const addresses = new Set(held.map(({ address }) => address));
  return items.filter((item) => addresses.has(addressOf(item)));
}

function standingOf(
  row: Enrichment,
  mail: readonly MailGroup[] | undefined,
  before: SourceStanding | undefined,
): Standing[] {
  if (!row.enriched_at && isPublicAddress(row.address)) return [];
  const sender = senderOf(row, mail);
  return [
    {
      address: row.address,
      sender,
      serviceSlug: sender && isNamed(sender) ? sender.slug : null,
      abuseStatus: row.enriched_at ? abuseStatusOf(row.abuse_score ?? NEVER_SCORED) : null,
      factsVersion: row.version,
      settled:
        before?.settled === true && before.facts_version === row.version && judgesAlike(row, before.sender, sender),
    },
  ];
}

function judgesAlike(row: Enrichment, ...[one, other]: [Standing['sender'], Standing['sender']]): boolean {
  return JSON.stringify(sourceFacts(row, one)) === JSON.stringify(sourceFacts(row, other));
}
