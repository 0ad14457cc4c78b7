import {
  findEnrichments,
  findMailGroups,
  findUnjudgedSources,
  finishSources,
  lockUnjudgedSources,
  recordsOfSources,
  saveClasses,
  saveStandings,
  senderOf,
  sourceFacts,
  transact,
  type Database,
  type Enrichment,
  type Standing,
} from '@dmarc-ledger/db';
import { classifyRecord } from '@dmarc-ledger/dmarc';
import { abuseStatusOf, isNamed, NEVER_SCORED, type MailGroup } from '@dmarc-ledger/sources';

/**
 * Says what addresses are to an organization, by facts that have changed, and gives its failing mail from them the class
 * that follows. Again changes nothing.
 */
export async function judgeSources(
  { database }: { database: Database },
  { orgId, addresses }: { orgId: string; addresses: string[] },
): Promise<void> {
  const waiting = await findUnjudgedSources(database.db, orgId, addresses);
  if (waiting.length === 0) return;
  const asked = waiting.map(({ address }) => address);
  const rows = await findEnrichments(database.db, asked);
  const mail = await findMailGroups(database.db, orgId, asked);
  const standings = rows.flatMap((row) => standingOf(row, mail.get(row.address)));
  await transact(database, async (session) => {
    const held = new Set((await lockUnjudgedSources(session, orgId, asked)).map(({ address }) => address));
    await saveStandings(
      session,
      orgId,
      standings.filter(({ address }) => held.has(address)),
    );
  });
  const senders = new Map(standings.map(({ address, sender }) => [address, sender]));
  const facts = new Map(rows.map((row) => [row.address, sourceFacts(row, senders.get(row.address))]));
  for await (const page of recordsOfSources(database.db, orgId, asked)) {
    const judged = page.map(({ reportId, position, day, record, alignment }) => ({
      ...{ reportId, position, day },
      class: classifyRecord(record, alignment, facts.get(record.sourceIp)),
    }));
    await transact(database, (session) => saveClasses(session, orgId, judged));
  }
  await transact(database, (session) => finishSources(session, orgId, waiting));
}

function standingOf(row: Enrichment, mail: readonly MailGroup[] | undefined): Standing[] {
  if (!row.enriched_at) return [];
  const sender = senderOf(row, mail);
  return [
    {
      address: row.address,
      sender,
      serviceSlug: isNamed(sender ?? undefined) ? sender!.slug : null,
      abuseStatus: abuseStatusOf(row.abuse_score ?? NEVER_SCORED),
      factsVersion: row.version,
    },
  ];
}
