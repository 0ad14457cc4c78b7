import type { Statement } from '@dmarc-ledger/schema';

/**
 * The most domains of an organization that are monitored without a request: anybody can mail reports about any name.
 * Figures are kept for all names.
 */
const MAX_AUTO_DOMAINS = 500;

/**
 * Has domains monitored with their first report, also those that were dropped with their last one. (rules,
 * organizations/monitored-domains) A statement of its own: `addToDaysAndTotals` waits for a purge that drops the
 * domain, and for others that add domains, and does not see what they have written.
 */
export const monitorReported: Statement = {
  name: 'monitor-reported',
  text: `
    with held as (
      select count(*) as domains from (
        select from domain where org_id = $1 and source = 'auto' and monitored limit ${MAX_AUTO_DOMAINS}) d
    ), begun as (
      select id, row_number() over (order by name) as place from domain
      where org_id = $1 and id = any($2::uuid[]) and left_at is not null
    )
    update domain d set monitored = d.monitored or coalesce(b.place + h.domains <= ${MAX_AUTO_DOMAINS}, false),
      left_at = null, source = case d.source when 'manual' then 'both' else d.source end
    from unnest($2::uuid[]) as k (id) left join begun b using (id) cross join held h
    where d.org_id = $1 and d.id = k.id and (d.left_at is not null or d.source = 'manual')`,
};
