import { isNetwork, sumColumns } from '@dmarc-ledger/facts';
import type { Db } from '@dmarc-ledger/schema';
import { type RawBuilder, sql } from 'kysely';
import { findOrgTotal } from '../domains/totals.ts';
import { groupedSenders } from './grouped-senders.ts';
import {
  towards,
  type InventoryFilter,
  type InventoryPage,
  type InventoryQuestion,
  type InventoryRow,
} from './inventory-question.ts';
import { countLone, loneNetworks } from './lone-networks.ts';
import { isSenderNetwork } from './network-range.ts';

/**
 * Returns one page of the senders of an organization's domains, and the number that match. Every address of a domain
 * belongs to one sender of it, so the sums are those of the domain. A decided sender without mail has zeros. (rules,
 * sender-inventory/senders)
 */
export async function findInventory(
  db: Db,
  orgId: string,
  filter: InventoryFilter,
  page: InventoryPage,
): Promise<{ rows: InventoryRow[]; total: number }> {
  if (filter.sender !== undefined && isNetwork(filter.sender) && !isSenderNetwork(filter.sender))
    return { rows: [], total: 0 };
  const { areSourcesIndexed: areIndexed } = await findOrgTotal(db, orgId);
  const { rows } = await inventoryOf({ orgId, areIndexed, ...filter, ...page }).execute(db);
  const [first] = rows;
  if (first !== undefined || page.offset === 0) return { rows, total: first?.total ?? 0 };
  // past the end, the first row has the total
  const { total } = await findInventory(db, orgId, filter, { ...page, limit: 1, offset: 0 });
  return { rows: [], total };
}

type CountedRow = InventoryRow & { total: number };

/** A network of one address is a sender as it is stored; only the others are summed up. */
function inventoryOf(question: InventoryQuestion): RawBuilder<CountedRow> {
  const { orgId, limit, offset } = question;
  const { lone, rows, count } = lonePart(question);
  return sql`
    with ${groupedSenders(question)} ${lone}, page as (
      select domain_id, domain, sender, value, null::inet as source_ip from matching ${rows}
      order by value ${towards(question)}, domain, sender limit ${limit} offset ${offset}
    )
    select p.domain_id, p.domain, p.sender, coalesce(s.addresses, 1)::bigint as addresses, ${sumsOfRow},
      coalesce(s.malicious, (t.abuse_status = 'malicious')::integer, 0)::bigint as malicious,
      (select count(*) from matching) ${count} as total, c.decision, c.owner, c.note, c.decided_by, c.decided_at
    from page p left join sums s on p.source_ip is null and s.domain_id = p.domain_id and s.sender = p.sender
      left join source_domain d on d.org_id = ${orgId} and d.source_ip = p.source_ip and d.domain_id = p.domain_id
      left join source_total t on t.org_id = ${orgId} and t.source_ip = p.source_ip
      left join sender_decision c on c.org_id = ${orgId} and c.domain_id = p.domain_id and c.sender = p.sender
    order by p.value ${towards(question)}, p.domain, p.sender`;
}

const sumsOfRow = sql.join(
  sumColumns.map((name) => {
    const [sum, stored] = [sql.ref(`s.${name}`), sql.ref(`d.${name}`)];
    return sql`case when p.source_ip is null then ${sum} else ${stored} end as ${sql.ref(name)}`;
  }),
);

/** A filter for decided senders, or for one, names all that are to be summed up. */
function lonePart(question: InventoryQuestion): { [part in 'lone' | 'rows' | 'count']: RawBuilder<unknown> } {
  const { sender, decision } = question;
  if (sender !== undefined || (decision !== undefined && decision !== 'none'))
    return { lone: sql``, rows: sql``, count: sql`` };
  return {
    lone: sql`, ${loneNetworks(question)}`,
    rows: sql`union all select domain_id, domain, sender, value, source_ip from lone`,
    count: sql`+ ${countLone(question)}`,
  };
}
