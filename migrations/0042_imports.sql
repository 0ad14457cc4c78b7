-- Reports that another tool kept without what the reporter sent. Their deliveries have the source `import`, which only
-- the command `import` sets: content never claims it. Such a copy is unproven, and the weakest copy of its report.
alter table raw_message drop constraint raw_message_source_check;
alter table raw_message add constraint raw_message_source_check
  check (source in ('file', 'upload', 'mailbox', 'import')) not valid;
alter table raw_message validate constraint raw_message_source_check;

-- Null, as older versions leave it, is the same as false.
alter table report_revision add column unproven boolean;
alter table report add column unproven boolean;
create index report_unproven on report (org_id, domain_id, day, id) include (messages) where unproven;
