import type { Db } from '@dmarc-ledger/schema';
import type { Day, DayRange } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';
import { isOfDomain } from '../sources/days-of-source.ts';
import { senderKey } from '../senders/sender-key.ts';

/** The sender that an address belongs to, and the sums of its mail of one domain over all reports that are held. */
export interface AddressSender {
  address: string;
  /** See `senderKey`. */
  sender: string;
  /** The recognised service; null for a network. */
  slug: string | null;
  messages: number;
  compliant: number;
  spf_pass: number;
  forwarded: number;
  suspicious: number;
  needs_review: number;
}

/** Returns the senders of addresses, by address. */
export async function findAddressSenders(
  db: Db,
  orgId: string,
  domainId: string,
  addresses: readonly string[],
): Promise<Map<string, AddressSender>> {
  if (addresses.length === 0) return new Map();
  const { rows } = await sql<AddressSender>`
    select a.address, ${senderKey(sql`t.service_slug`, sql`a.address::inet`)} as sender, t.service_slug as slug,
      coalesce(s.messages, 0) as messages, coalesce(s.compliant, 0) as compliant, coalesce(s.spf_pass, 0) as spf_pass,
      coalesce(s.forwarded, 0) as forwarded, coalesce(s.suspicious, 0) as suspicious,
      coalesce(s.needs_review, 0) as needs_review
    from unnest(${addresses}::text[]) as a (address)
      left join source_total t on t.org_id = ${orgId} and t.source_ip = a.address::inet
      left join source_domain s on s.org_id = ${orgId} and s.source_ip = a.address::inet
        and s.domain_id = ${domainId}`.execute(db);
  return new Map(rows.map((row) => [row.address, row]));
}

/** The mail of a sender after the last day on which some of it failed. */
export interface PassingSince {
  /** That day. */
  lastFailed: Day;
  /** Messages of later days; all of them passed. */
  messages: number;
}

/**
 * Returns, by sender, what has passed since its mail last failed in the window; nothing for a sender without such mail.
 * @param senders the sender of each address
 */
export async function findPassingSince(
  db: Db,
  { orgId, domainId, from, to }: DayRange & { orgId: string; domainId: string },
  senders: readonly { address: string; sender: string }[],
): Promise<Map<string, PassingSince>> {
  if (senders.length === 0) return new Map();
  const { rows } = await sql<PassingSince & { sender: string }>`
    with day as (
      select a.sender, d.day, sum(d.messages) as messages, sum(d.compliant) as compliant
      from json_to_recordset(${JSON.stringify(senders)}::json) as a (address text, sender text)
        join source_domain_day d on d.org_id = ${orgId} and d.source_ip = a.address::inet
          and ${isOfDomain(sql`d.domain_id`, domainId)} and d.day between ${from}::date and ${to}::date
      group by 1, 2
    ), failed as (
      select sender, max(day) as day from day where compliant < messages group by 1
    )
    select sender, f.day::text as "lastFailed", sum(d.messages)::bigint as messages
    from failed f join day d using (sender) where d.day > f.day group by sender, f.day`.execute(db);
  return new Map(rows.map(({ sender, ...since }) => [sender, since]));
}
