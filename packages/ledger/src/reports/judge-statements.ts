import type { Statement } from '@dmarc-ledger/schema';
import { CLASS_CHANGES } from '../rollups/record-sums.ts';

export const saveAlignments: Statement = {
  name: 'save-alignments',
  text: `
    update report_record r set dkim_aligned = a.dkim, spf_aligned = a.spf
    from json_to_recordset($2::json) as a (report_id uuid, position integer, day date, dkim boolean[], spf boolean[])
    where r.org_id = $1 and r.report_id = a.report_id and r.position = a.position and r.day = a.day`,
};

/** Locks against replacing or deleting a report, not against adding a copy to it. */
export const holdVersions: Statement = {
  name: 'hold-versions',
  text: 'select id, version from report where org_id = $1 and id = any($2::uuid[]) order by id for key share',
};

export const keepJudging: Statement = {
  name: 'keep-judging',
  text: `
    with going as (
      select report_id from unjudged_report where org_id = $1 and report_id = any($2::uuid[])
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
 */
export const changeClasses: Statement = {
  name: 'change-classes',
  text: `
    with wanted as (
      select r.report_id, r.position, r.day, r.source_ip, r.domain_id, r.messages, r.class as old, c.class as new,
        r.proved as old_proved, c.proved as new_proved
      from json_to_recordset($2::json) as c (report_id uuid, position integer, day date, class text, proved boolean)
        join report_record r on r.org_id = $1 and r.report_id = c.report_id and r.position = c.position and r.day = c.day
      where (r.class, r.proved) is distinct from (c.class, c.proved)
      order by r.report_id, r.position for update of r
    ), changed as (
      update report_record r set class = w.new, proved = w.new_proved from wanted w
      where r.org_id = $1 and r.report_id = w.report_id and r.position = w.position and r.day = w.day
      returning w.source_ip, w.day, w.domain_id, w.messages, w.old, w.new, w.old_proved, w.new_proved
    )
    select source_ip, day, domain_id,
      ${CLASS_CHANGES}
    from changed group by source_ip, day, domain_id`,
};
