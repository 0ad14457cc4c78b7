-- What is written with every report takes less room and less work. Pages written before keep their room.

-- One record of ten changes its class, once: a page needs room for one or two of them.
alter table report_record set (fillfactor = 90);
alter table source_domain_day set (fillfactor = 90);

-- Nothing is ever looked for by these, so the planner needs no figures of them; taking the figures of wide columns was
-- most of the work of analyzing the largest table.
alter table report_record
  alter column source_text set statistics 0,
  alter column disposition set statistics 0,
  alter column header_from set statistics 0,
  alter column envelope_from set statistics 0,
  alter column envelope_to set statistics 0,
  alter column reasons set statistics 0,
  alter column dkim_results set statistics 0,
  alter column spf_results set statistics 0,
  alter column dkim_aligned set statistics 0,
  alter column spf_aligned set statistics 0,
  alter column proved set statistics 0;
alter table report
  alter column identity set statistics 0,
  alter column metadata set statistics 0,
  alter column policy set statistics 0,
  alter column payload_sha256 set statistics 0;
alter table raw_message alter column parts set statistics 0, alter column mail_facts set statistics 0;

-- Nearly every delivery ends as stored, and is found by its id; only the others need an index by their state.
create index raw_message_not_stored on raw_message (org_id, state, id) where state <> 'stored';
drop index raw_message_state;
