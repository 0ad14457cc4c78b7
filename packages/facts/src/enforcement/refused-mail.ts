import type { MailGroup } from '@dmarc-ledger/enforcement';
import type { Db } from '@dmarc-ledger/schema';
import { addDays, startOfDay, type DayRange } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';
import { isOfDomain } from '../sources/days-of-source.ts';
import { senderKey } from '../senders/sender-key.ts';

/** Compliant mail of so many days shows that an address is an own source. (rules, events/own-mail) */
const EVIDENCE_DAYS = 90;
/** The most addresses, those with most failing messages first. */
const ADDRESSES = 1_000;
/** Of addresses without passing mail, so many may be of a sender that is ours, those with most failing messages. */
const NEVER_PASSING = 5_000;

/** An address of an own source, and its messages that receivers refused. */
export interface RefusedMail {
  address: string;
  messages: number;
}

/**
 * Returns the mail that receivers rejected of addresses that are an own source: their sender was decided to be ours, or
 * nothing was decided and mail of theirs passed within 90 days. What is stored of rejected mail has no address, so it
 * is what failed less what receivers treated more mildly. (rules, enforcement/own-mail-that-is-rejected)
 * @param groups the mail of the same days by fate: see `findMailFates`; `hasOwn`: whether any sender is decided as ours
 */
export async function findRefusedMail(
  db: Db,
  { orgId, domainId, from, to, hasOwn }: DayRange & { orgId: string; domainId: string; hasOwn: boolean },
  groups: readonly MailGroup[],
): Promise<RefusedMail[]> {
  if (!groups.some(({ fate, messages }) => fate === 'reject' && messages > 0)) return [];
  const { rows } = await sql<{ address: string; failing: number }>`
    with mail as materialized (
      select source_ip, compliant, messages - compliant as failing from source_domain
      where org_id = ${orgId} and domain_id = ${domainId} and last_seen >= to_timestamp(${startOfDay(from)})
        and messages > compliant and (compliant > 0 or ${hasOwn})
    ), possible as (
      select * from mail where compliant > 0
      union all
      (select * from mail where compliant = 0 order by failing desc, source_ip limit ${NEVER_PASSING})
    ), known as (
      select s.*, ${senderKey(sql`t.service_slug`, sql`s.source_ip`)} as sender
      from possible s left join source_total t on t.org_id = ${orgId} and t.source_ip = s.source_ip
    ), candidate as (
      select k.source_ip, c.decision from known k
        left join sender_decision c on c.org_id = ${orgId} and c.domain_id = ${domainId} and c.sender = k.sender
      where c.decision = 'ours' or c.decision is null and k.compliant > 0
      order by k.failing desc, k.source_ip limit ${ADDRESSES}
    )
    select host(c.source_ip) as address, d.failing from candidate c cross join lateral (
      select sum(messages - compliant) filter (where day >= ${from}::date)::bigint as failing,
        sum(compliant) as compliant
      from source_domain_day x where x.org_id = ${orgId} and x.source_ip = c.source_ip
        and ${isOfDomain(sql`x.domain_id`, domainId)}
        and x.day between least(${from}::date, ${addDays(to, 1 - EVIDENCE_DAYS)}::date) and ${to}::date) d
    where d.failing > 0 and (c.decision = 'ours' or d.compliant > 0)`.execute(db);
  const milder = new Map<string, number>();
  for (const { fate, address, messages } of groups)
    if (address !== null && (fate === 'none' || fate === 'quarantine'))
      milder.set(address, (milder.get(address) ?? 0) + messages);
  return rows
    .map(({ address, failing }) => ({ address, messages: failing - (milder.get(address) ?? 0) }))
    .filter(({ messages }) => messages > 0);
}
