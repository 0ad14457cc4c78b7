import { LEAST_SPF_MAIL, SPF_STALE_DAYS, type SharedUse } from '@dmarc-ledger/dns-records';
import { senderKey } from '@dmarc-ledger/facts';
import type { Db } from '@dmarc-ledger/schema';
import { addDays, startOfDay, type Day } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';
import { isOwn } from './own-address.ts';
import { SPF_ADDRESSES, SPF_DAYS, type SpfAddress } from './spf-mail.ts';

interface Question {
  orgId: string;
  domainId: string;
  domain: string;
  today: Day;
  /** True: every address, whether its mail passes or not; for a record that fails for receivers. */
  isEvery: boolean;
}

/** A domain whose record refers to another one. */
interface User {
  id: string;
  name: string;
  /** True where its own record fails for receivers, so that a failure of its mail proves nothing. */
  isFailing: boolean;
  /** True where a report is about one of the last days, and shows mail enough to call a term unused. */
  isSeen: boolean;
}

/**
 * Returns what the organization's other domains need of an SPF record that theirs refer to, at any depth; undefined
 * where none does. (rules, spf/domains-that-use-the-record)
 */
export async function findSharedUse(db: Db, question: Question): Promise<SharedUse | undefined> {
  const users = await findUsers(db, question);
  if (users.length === 0) return undefined;
  const addresses = await findAddresses(db, question, users);
  return {
    domains: users.map(({ name }) => name),
    unseen: users.filter(({ isSeen }) => !isSeen).map(({ name }) => name),
    addresses: addresses.filter(isOwn).map(({ address }) => address),
  };
}

async function findUsers(db: Db, { orgId, domainId, domain, today }: Question): Promise<User[]> {
  const { rows } = await sql<User>`
    select d.id, d.name, coalesce(c.status = 'error', false) as "isFailing",
      coalesce(s.newest > ${addDays(today, -SPF_STALE_DAYS)}::date and s.compliant >= ${LEAST_SPF_MAIL.messages}
        and s.days >= ${LEAST_SPF_MAIL.days}, false) as "isSeen"
    from domain_evidence e
      join domain d on d.org_id = e.org_id and d.id = e.domain_id
      left join domain_check c on c.org_id = e.org_id and c.domain_id = e.domain_id and c.subject = 'spf'
      cross join lateral (
        select max(x.day) as newest, sum(x.compliant) as compliant, count(*) filter (where x.compliant > 0) as days
        from domain_day x where x.org_id = ${orgId} and x.domain_id = e.domain_id and x.reports > 0
          and x.day between ${addDays(today, 1 - SPF_DAYS)}::date and ${today}::date) s
    where e.org_id = ${orgId} and e.spf_targets is not null and ${domain} = any(e.spf_targets)
      and e.domain_id <> ${domainId} and d.monitored
    order by d.name`.execute(db);
  return rows;
}

/** The addresses that send as one of the domains, those with most messages first. */
async function findAddresses(
  db: Db,
  { orgId, today, isEvery }: Question,
  users: readonly User[],
): Promise<Pick<SpfAddress, 'address' | 'slug' | 'decision'>[]> {
  const from = startOfDay(addDays(today, 1 - SPF_DAYS));
  const every = users.filter(({ isFailing }) => isEvery || isFailing).map(({ id }) => id);
  const { rows } = await sql<Pick<SpfAddress, 'address' | 'slug' | 'decision'>>`
    with known as (
      select s.domain_id, s.source_ip, s.messages, s.compliant, t.service_slug as slug,
        ${senderKey(sql`t.service_slug`, sql`s.source_ip`)} as sender
      from source_domain s left join source_total t on t.org_id = ${orgId} and t.source_ip = s.source_ip
      where s.org_id = ${orgId} and s.domain_id = any(${users.map(({ id }) => id)}::uuid[])
        and s.last_seen >= to_timestamp(${from}) and s.messages > 0
    )
    select host(k.source_ip) as address, min(k.slug) as slug, max(c.decision) as decision
    from known k
      left join sender_decision c on c.org_id = ${orgId} and c.domain_id = k.domain_id and c.sender = k.sender
    where coalesce(c.decision, 'ours') = 'ours'
      and (k.compliant > 0 or c.decision = 'ours' or k.domain_id = any(${every}::uuid[]))
    group by k.source_ip order by sum(k.messages) desc, k.source_ip limit ${SPF_ADDRESSES}`.execute(db);
  return rows;
}
