import type { Statement } from '@dmarc-ledger/schema';
import { CLASS_CHANGES } from '../rollups/record-sums.ts';
import { isOnly, reportWithId } from '../keys/by-key.ts';

/** What a row of `stored_record` cannot be without: an insert that finds its row has them, and changes none. */
const REQUIRED = `org_id, report_id, position, day, domain_id, source_ip, messages, dkim_pass, spf_pass, detail_id,
  disposition, header_from`;
/** The same of rows `a`, which name another detail. */
const REQUIRED_OF_A = REQUIRED.replace('report_id, position, day', 'a.report_id, a.position, a.day').replace(
  'detail_id',
  'a.detail_id',
);
/** The columns of a record that has a detail of its own. */
const OWN_DETAIL =
  'disposition header_from envelope_from reasons dkim_results spf_results dkim_aligned spf_aligned'.split(' ');

/**
 * Gives records another detail, which is stored already. The rows exist, and are found by their keys as `changeClasses`
 * finds them.
 */
export const changeDetails: Statement = {
  name: 'change-details',
  inKeyOrder: true,
  text: `
    insert into stored_record (${REQUIRED})
    select ${REQUIRED_OF_A}
    from (
      select * from json_to_recordset($2::json) as a (report_id uuid, position integer, day date, detail_id uuid)
      order by report_id, position offset 0
    ) a cross join lateral (
      select org_id, domain_id, source_ip, messages, dkim_pass, spf_pass, disposition, header_from from stored_record
      where org_id = $1 and report_id = a.report_id and position = a.position and ${isOnly('day', 'a.day')}
      order by day offset 0 for update
    ) r
    on conflict (org_id, report_id, position, day) do update set detail_id = excluded.detail_id,
      ${OWN_DETAIL.map((column) => `${column} = null`).join(', ')}`,
};

/** Locks against replacing or deleting a report, not against adding a copy to it. */
export const holdVersions: Statement = {
  name: 'hold-versions',
  text: `
    select r.id, r.version from (select id from unnest($2::uuid[]) as id order by id offset 0) k
      cross join lateral (${reportWithId('id, version', 'k.id')} for key share) r`,
};

/** Locks reports against judging too, and gives those that still have these versions the next one. */
export const renewVersions: Statement = {
  name: 'renew-versions',
  text: `
    with known as (select * from json_to_recordset($2::json) as k (id uuid, version integer)),
    held as (
      select r.id, r.version from (select id from known order by id offset 0) k
        cross join lateral (${reportWithId('id, version', 'k.id')} for update) r
    )
    update report set version = version + 1
    where org_id = $1 and id = any(array(select id from held join known using (id, version))) returning id, version`,
};

/** A lease that was extended within this time is left as it is: most judgements end sooner. */
const KEPT_SECONDS = 1;

export const keepJudging: Statement = {
  name: 'keep-judging',
  text: `
    with going as (
      select report_id from unjudged_report where org_id = $1 and report_id = any($2::uuid[])
        and since < now() - interval '${KEPT_SECONDS} seconds'
      order by report_id for update skip locked
    )
    update unjudged_report u set since = now() from going g where u.org_id = $1 and u.report_id = g.report_id`,
};

export const endAlignment: Statement = {
  name: 'end-alignment',
  text: `
    update unjudged_report set step = 'classify', since = now()
    where org_id = $1 and report_id = any($2::uuid[]) and step = 'align' returning report_id`,
};

export const endJudgement: Statement = {
  name: 'end-judgement',
  text: `
    delete from unjudged_report where org_id = $1 and report_id = any($2::uuid[]) and step = 'classify'`,
};

/**
 * Changes the class of records and returns, by key of the lowest rollup, by how many messages each class of failing
 * mail grew or shrank. Records that are already classed so are skipped, so a second run returns nothing.
 *
 * The rows exist and are locked. They are found by their keys whatever the planner believes of the table: once by
 * LATERAL, ORDER BY and OFFSET, once as the conflict of an insert. An update would be planned as a join with all
 * records of the organization.
 */
export const changeClasses: Statement = {
  name: 'change-classes',
  inKeyOrder: true,
  text: `
    with wanted as (
      select r.*, c.class as new, c.proved as new_proved
      from (
        select * from json_to_recordset($2::json) as c (report_id uuid, position integer, day date, class text,
          proved boolean)
        order by report_id, position offset 0
      ) c cross join lateral (
        select ${REQUIRED}, class as old, proved as old_proved from stored_record
        where org_id = $1 and report_id = c.report_id and position = c.position and ${isOnly('day', 'c.day')}
          and (class, proved) is distinct from (c.class, c.proved)
        order by day offset 0 for update
      ) r
    ), changed as (
      insert into stored_record (${REQUIRED}, class, proved) select ${REQUIRED}, new, new_proved from wanted
      on conflict (org_id, report_id, position, day) do update set class = excluded.class, proved = excluded.proved
    )
    select source_ip, day, domain_id,
      ${CLASS_CHANGES}
    from wanted group by source_ip, day, domain_id`,
};
