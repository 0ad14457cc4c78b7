import { findSenderDecisions, isOfDomain, senderKey } from '@dmarc-ledger/facts';
import { SPF_STALE_DAYS } from '@dmarc-ledger/dns-records';
import type { Db } from '@dmarc-ledger/schema';
import type { SenderDecision } from '@dmarc-ledger/vocabulary';
import { addDays, startOfDay, type Day } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';

/** The window that shows which terms mail needs. (rules, spf/needed-terms) */
export const SPF_DAYS = 90;
/** The most addresses that are considered, those with most messages first. */
export const SPF_ADDRESSES = 5_000;

/** The mail of an address in the window. */
export interface SpfAddress {
  address: string;
  /** See `senderKey`. */
  sender: string;
  slug: string | null;
  decision: SenderDecision | null;
  messages: number;
  compliant: number;
  spfPass: number;
  dkimPass: number;
}

interface Question {
  orgId: string;
  domainId: string;
  today: Day;
  /** True: every address, whether its mail passes or not; for a record that fails for receivers. */
  isEvery: boolean;
}

/**
 * Returns the addresses that send as a domain: mail of the window passed DMARC, or a person decided that the sender is
 * theirs. Decided forwarders and senders that are not theirs are left out.
 */
export async function findSpfAddresses(db: Db, { orgId, domainId, today, isEvery }: Question): Promise<SpfAddress[]> {
  const from = addDays(today, 1 - SPF_DAYS);
  const decisions = [...(await findSenderDecisions(db, orgId, domainId)).values()];
  const hasOwn = decisions.some(({ decision }) => decision === 'ours');
  const { rows } = await sql<SpfAddress>`
    with known as (
      select s.source_ip, s.messages, s.compliant, t.service_slug as slug,
        ${senderKey(sql`t.service_slug`, sql`s.source_ip`)} as sender
      from source_domain s left join source_total t on t.org_id = ${orgId} and t.source_ip = s.source_ip
      where s.org_id = ${orgId} and s.domain_id = ${domainId} and s.last_seen >= to_timestamp(${startOfDay(from)})
        and (s.compliant > 0 or ${hasOwn || isEvery})
    ), candidate as (
      select k.*, c.decision from known k
        left join sender_decision c on c.org_id = ${orgId} and c.domain_id = ${domainId} and c.sender = k.sender
      where coalesce(c.decision, 'ours') = 'ours' and (k.compliant > 0 or c.decision = 'ours' or ${isEvery})
      order by k.messages desc, k.source_ip limit ${SPF_ADDRESSES}
    )
    select host(c.source_ip) as address, c.sender, c.slug, c.decision, d.messages, d.compliant, d.spf_pass as "spfPass",
      d.dkim_pass as "dkimPass"
    from candidate c cross join lateral (
      select sum(messages)::bigint as messages, sum(compliant)::bigint as compliant, sum(spf_pass)::bigint as spf_pass,
        sum(dkim_pass)::bigint as dkim_pass
      from source_domain_day x where x.org_id = ${orgId} and x.source_ip = c.source_ip
        and ${isOfDomain(sql`x.domain_id`, domainId)} and x.day between ${from}::date and ${today}::date) d
    where d.messages > 0 and (d.compliant > 0 or c.decision = 'ours' or ${isEvery})
    order by d.messages desc, c.source_ip`.execute(db);
  return rows;
}

/** The days of the window on which these addresses sent own mail: all mail of own senders, of others what passed. */
export async function countOwnDays(
  db: Db,
  { orgId, domainId, today }: Omit<Question, 'isEvery'>,
  senders: readonly { address: string; isOurs: boolean }[],
): Promise<number> {
  const all = senders.map(({ address }) => address);
  const ours = senders.flatMap(({ address, isOurs }) => (isOurs ? [address] : []));
  const { rows } = await sql<{ days: number }>`
    select count(distinct day) as days from source_domain_day
    where org_id = ${orgId} and ${isOfDomain(sql`domain_id`, domainId)} and source_ip = any(${all}::inet[])
      and day between ${addDays(today, 1 - SPF_DAYS)}::date and ${today}::date
      and (compliant > 0 or messages > 0 and source_ip = any(${ours}::inet[]))`.execute(db);
  return rows[0]?.days ?? 0;
}

/** The messages of the window, and whether a report is about one of its last days. */
export async function sumSpfWindow(db: Db, { orgId, domainId, today }: Omit<Question, 'isEvery'>) {
  const { messages, newest } = await db
    .selectFrom('domain_day')
    .select((eb) => [
      eb.fn.coalesce(eb.fn.sum<number>('messages'), eb.val(0)).as('messages'),
      eb.fn.max<Day | null>('day').as('newest'),
    ])
    .where('org_id', '=', orgId)
    .where('domain_id', '=', domainId)
    .where('day', '>=', addDays(today, 1 - SPF_DAYS))
    .where('day', '<=', today)
    .where('reports', '>', 0)
    .executeTakeFirstOrThrow();
  return { messages, isCurrent: newest !== null && newest > addDays(today, -SPF_STALE_DAYS) };
}
