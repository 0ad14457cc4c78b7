import { senderKey } from '@dmarc-ledger/facts';
import { type RawBuilder, sql } from 'kysely';
import { all } from '../lists/sorted-list.ts';
import { inventoryOrders, ofDomain, towards, type InventoryQuestion } from './inventory-question.ts';
import { decidedNetwork, isWithin, networkOf } from './network-range.ts';

/**
 * SQL for the senders of several addresses, as parts of a statement: `sums` has the services and the networks that have
 * several addresses; decided senders without mail have zeros. `matching` has those that match, with the sort key as
 * `value`; `bound` the key of the last that the page can need. `decided` has the addresses of decided networks.
 * (rules, sender-inventory/senders)
 */
export function groupedSenders(question: InventoryQuestion): RawBuilder<unknown> {
  const { orgId, sortBy, limit, offset } = question;
  return sql`${groupedAddresses(question)},
    decided as materialized (
      select c.domain_id, c.sender, d.source_ip
      from sender_decision c join source_domain d on d.org_id = ${orgId} and d.domain_id = c.domain_id
          and ${isWithin(sql`d.source_ip`, decidedNetwork(sql`c.sender`))}
        left join source_total t on t.org_id = ${orgId} and t.source_ip = d.source_ip
      where c.org_id = ${orgId} ${ofDomain(question, 'c.domain_id')} and t.service_slug is null
    ), parts as (
      select ${part} from grouped g
        join source_domain d on d.org_id = ${orgId} and d.source_ip = g.source_ip ${ofDomain(question, 'd.domain_id')}
        left join source_total t on t.org_id = ${orgId} and t.source_ip = d.source_ip
      union all
      select ${part} from source_domain d left join source_total t on t.org_id = ${orgId} and t.source_ip = d.source_ip
      where d.org_id = ${orgId} ${ofDomain(question, 'd.domain_id')} and not (select is_sparse from density)
      union all
      select c.domain_id, c.sender, 0, 0, 0, 0, 0, 0, 0, 0, 0, null, null
      from sender_decision c where c.org_id = ${orgId} ${ofDomain(question, 'c.domain_id')}
        and not exists (select from decided k where k.domain_id = c.domain_id and k.sender = c.sender)
    ), sums as materialized (
      select domain_id, sender, sum(addresses) as addresses, coalesce(sum(malicious), 0) as malicious,
        sum(messages)::bigint as messages, sum(compliant)::bigint as compliant, sum(spf_pass)::bigint as spf_pass,
        sum(dkim_pass)::bigint as dkim_pass, sum(forwarded)::bigint as forwarded, sum(suspicious)::bigint as suspicious,
        sum(needs_review)::bigint as needs_review, min(first_seen) as first_seen, max(last_seen) as last_seen
      from parts group by domain_id, sender
    ), matching as materialized (
      select s.domain_id, n.name as domain, s.sender, ${inventoryOrders[sortBy]} as value
      from sums s join domain n on n.org_id = ${orgId} and n.id = s.domain_id where ${isMatching(question)}
    ), bound as materialized (
      select value from matching order by value ${towards(question)} offset ${limit + offset - 1} limit 1
    )`;
}

/** One of so many addresses may belong to a sender of several. */
const SPARSE = 16;

/** What an address adds to its sender. */
const part = sql`d.domain_id, ${senderKey(sql`t.service_slug`, sql`d.source_ip`)} collate "C" as sender, 1 as addresses,
  (t.abuse_status = 'malicious')::integer as malicious, d.messages, d.compliant, d.spf_pass, d.dkim_pass, d.forwarded,
  d.suspicious, d.needs_review, d.first_seen, d.last_seen`;

/** The addresses whose senders are summed up: those of the senders that the filter names, or all but single ones. */
function groupedAddresses(question: InventoryQuestion): RawBuilder<unknown> {
  const { orgId, decision, sender } = question;
  if (sender !== undefined) return addressesOf(question, sql`select ${sender}::text as sender`);
  if (decision === undefined || decision === 'none') return addressesInCompany(question);
  const keys = sql`select distinct sender from sender_decision
    where org_id = ${orgId} and decision = ${decision} ${ofDomain(question, 'domain_id')}`;
  return addressesOf(question, keys);
}

/** The addresses of these senders, and perhaps of others. */
function addressesOf({ orgId }: InventoryQuestion, keys: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`keys as materialized (${keys}), density as materialized (select true as is_sparse),
    grouped as materialized (
      ${addressList(sql`
        select o.source_ip from keys k join own_source_address o on o.org_id = ${orgId}
          and ${isWithin(sql`o.source_ip`, decidedNetwork(sql`k.sender`))}
        union
        select t.source_ip from keys k join source_total t on t.org_id = ${orgId} and t.service_slug = k.sender`)}
    )`;
}

/**
 * Services, and networks of which the organization, or the domain, has several addresses. Where these are many of all
 * addresses, finding each is slower than summing up all: then none is listed, and none counts as single.
 */
function addressesInCompany(question: InventoryQuestion): RawBuilder<unknown> {
  const { orgId, domainId } = question;
  const known = knownAddresses(question);
  const ofService =
    domainId === undefined
      ? sql`source_total t where t.org_id = ${orgId}`
      : sql`source_domain d join source_total t on t.org_id = ${orgId} and t.source_ip = d.source_ip
          where d.org_id = ${orgId} and d.domain_id = ${domainId}`;
  const total =
    domainId === undefined
      ? sql`select sources from org_total where org_id = ${orgId}`
      : sql`select sources from domain_total where org_id = ${orgId} and domain_id = ${domainId}`;
  return sql`few as materialized (
      select coalesce((${total}), 0) / ${sql.lit(SPARSE)} as addresses
    ), serving as materialized (
      select t.source_ip from ${ofService} and t.service_slug is not null limit (select addresses + 1 from few)
    ), shared as materialized (
      select ${networkOf(sql`o.source_ip`)} as network, count(*) as addresses from ${known}
        group by 1 having count(*) > 1
    ), density as materialized (
      select case when s.addresses > f.addresses then false
          else s.addresses + coalesce((select sum(addresses) from shared), 0) <= f.addresses end as is_sparse
      from few f, (select count(*) as addresses from serving) s
    ), grouped as materialized (
      ${addressList(sql`
        select a.source_ip from shared s cross join lateral (
          select o.source_ip from ${known} and ${isWithin(sql`o.source_ip`, sql`s.network`)}) a
        union
        select source_ip from serving`)}
    )`;
}

/** As an array: PostgreSQL expects few rows of it, so each is found by its key, and sets of it are hashed. */
function addressList(addresses: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select unnest(case when (select is_sparse from density) then array(${addresses}) end) as source_ip`;
}

/** SQL for the known addresses `o` of the organization, or of one domain, with a condition. */
export function knownAddresses({ orgId, domainId }: InventoryQuestion): RawBuilder<unknown> {
  return domainId === undefined
    ? sql`own_source_address o where o.org_id = ${orgId}`
    : sql`source_domain o where o.org_id = ${orgId} and o.domain_id = ${domainId}`;
}

function isMatching({ orgId, decision, sender }: InventoryQuestion): RawBuilder<unknown> {
  const decided = sql`select c.decision from sender_decision c
    where c.org_id = ${orgId} and c.domain_id = s.domain_id and c.sender = s.sender`;
  return all([
    sql<boolean>`true`,
    ...(sender === undefined ? [] : [sql<boolean>`s.sender = ${sender}`]),
    ...(decision === undefined ? [] : [sql<boolean>`coalesce((${decided}), 'none') = ${decision}`]),
  ]);
}
