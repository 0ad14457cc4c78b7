-- A finding without an answer, or with some of the answers, says nothing about the records that were not read. Which keys
-- of earlier findings had no answer is not known any more.
alter table domain_check add column is_partial boolean; -- null: by a process of an older version
alter table domain_check_change add column is_partial boolean not null default false;
update domain_check set is_partial = true where status = 'unknown' and (subject = 'mx'
  or records = '{}' and details = 'DNS could not be read; the last attempt failed.');
update domain_check_change set is_partial = true where status = 'unknown' and (subject = 'mx'
  or records = '{}' and details = 'DNS could not be read; the last attempt failed.');
