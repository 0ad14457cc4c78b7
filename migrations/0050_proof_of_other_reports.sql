-- Whether the mail of a TLS, placement or failure report passed DMARC, so that one that failed replaces none that
-- passed, and the same content in a mail that passed is read again. Null where it did not come by mail, where nothing
-- was recorded, and for reports of earlier versions.
alter table tlsrpt_report add column authenticated boolean;
alter table aprf_report add column authenticated boolean;
alter table failure_report add column authenticated boolean;
create index tlsrpt_report_failed on tlsrpt_report (org_id, payload_sha256) where not authenticated;
create index aprf_report_failed on aprf_report (org_id, payload_sha256) where not authenticated;
create index failure_report_failed on failure_report (org_id, payload_sha256) where not authenticated;
