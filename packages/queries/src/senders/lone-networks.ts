import { type RawBuilder, sql } from 'kysely';
import { knownAddresses } from './grouped-senders.ts';
import { inventoryOrders, isAtLeast, ofDomain, towards, type InventoryQuestion } from './inventory-question.ts';
import { isWithin, networkOf } from './network-range.ts';

/** Messages that no pair comes behind. */
const WORST = { asc: sql`9223372036854775807`, desc: sql`0` };
const key = sql`sender_network(source_ip) collate "C"`;

/**
 * SQL for the senders of one address, networks without any other known one, as the part `lone` of a statement: the
 * first that the page can need, in the order of the list, with the sort key as `value`. Their sums are those of the
 * address, so they are sorted before anything is summed up.
 */
export function loneNetworks(question: InventoryQuestion): RawBuilder<unknown> {
  const { limit, offset } = question;
  const first = question.sortBy === 'messages' && question.areIndexed ? byIndex(question) : bySorting(question);
  return sql`${first}, lone as materialized (
      select domain_id, domain, ${key} as sender, value, source_ip
      from first order by value ${towards(question)}, domain, ${key} limit ${limit + offset}
    )`;
}

/** The index of each domain by messages is walked until the page is full. */
function byIndex(question: InventoryQuestion): RawBuilder<unknown> {
  const { orgId, domainId, direction, limit, offset } = question;
  const isNeeded = isAtLeast(
    question,
    sql`d.sort_messages`,
    sql`coalesce((select value from bound), ${WORST[direction]})`,
  );
  const way = sql.raw(direction);
  // OFFSET does not change the result: a pair is looked at when its turn comes
  return sql`first as (
      select n.id as domain_id, n.name as domain, w.source_ip, w.value
      from domain n cross join lateral (
        select d.source_ip, d.sort_messages as value
        from source_domain d cross join lateral
          (select ${isLone(question)} ${isUndecided(question, sql`n.id`)} as is_lone offset 0) c
        where d.org_id = ${orgId} and d.domain_id = n.id and d.indexed and ${isNeeded} and c.is_lone
        order by d.sort_messages ${way} fetch first ${sql.lit(limit + offset)} rows with ties) w
      where n.org_id = ${orgId} ${domainId === undefined ? sql`` : sql`and n.id = ${domainId}`}
        and (select is_sparse from density)
    )`;
}

function isLone(question: InventoryQuestion): RawBuilder<boolean> {
  const network = networkOf(sql`d.source_ip`);
  return sql<boolean>`not exists (select from source_total t where t.org_id = ${question.orgId}
      and t.source_ip = d.source_ip and t.service_slug is not null)
    and not exists (select from ${knownAddresses(question)} and o.source_ip <> d.source_ip
      and ${isWithin(sql`o.source_ip`, network)})`;
}

/** The domains stand for their names, so that ties are bounded before the keys of senders are compared. */
function bySorting(question: InventoryQuestion): RawBuilder<unknown> {
  const { orgId, sortBy, limit, offset } = question;
  const value = sortBy === 'addresses' ? sql`1::bigint` : inventoryOrders[sortBy];
  const all = sql`(
      select d.domain_id, n.domain, n.place, d.source_ip, ${value} as value
      from source_domain d join places n on n.id = d.domain_id
      where d.org_id = ${orgId} ${ofDomain(question, 'd.domain_id')} and (select is_sparse from density)
        and d.source_ip not in (select source_ip from grouped) ${isUndecided(question, sql`d.domain_id`)}) c`;
  return sql`places as materialized (
      select id, name as domain, row_number() over (order by name) as place from domain where org_id = ${orgId}
    ), last as materialized (
      select value, place from ${all} order by value ${towards(question)}, place offset ${limit + offset - 1} limit 1
    ), first as (
      select c.domain_id, c.domain, c.source_ip, c.value from ${all} left join last l on true
      where l.value is null or (${isAtLeast(question, sql`c.value`, sql`l.value`)}
        and (c.value <> l.value or c.place <= l.place))
    )`;
}

function isUndecided({ decision }: InventoryQuestion, domain: RawBuilder<unknown>): RawBuilder<unknown> {
  if (decision !== 'none') return sql``;
  return sql`and not exists (select from decided k where k.domain_id = ${domain} and k.source_ip = d.source_ip)`;
}

/** SQL for the number of senders of one address: as many as were read, or what is left of all pairs. */
export function countLone(question: InventoryQuestion): RawBuilder<number> {
  const { orgId, decision, limit, offset } = question;
  const excluded =
    decision === 'none'
      ? sql`- (select count(*) from decided k where not exists (select from grouped g where g.source_ip = k.source_ip))`
      : sql``;
  return sql<number>`case
      when (select is_sparse from density) is not true then 0
      when (select count(*) from lone) < ${limit + offset}::bigint and not exists (select from bound)
        then (select count(*) from lone)
      else coalesce((select sum(sources) from domain_total
        where org_id = ${orgId} ${ofDomain(question, 'domain_id')}), 0)::bigint
        - coalesce((select sum(addresses) from sums), 0)::bigint ${excluded}
    end`;
}
