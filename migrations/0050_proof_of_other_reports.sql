-- Whether the mail of a TLS, placement or failure report passed DMARC, so that one that failed replaces none that
-- passed. Null where it did not come by mail, where nothing was recorded, and for reports of earlier versions.
alter table tlsrpt_report add column authenticated boolean;
alter table aprf_report add column authenticated boolean;
alter table failure_report add column authenticated boolean;
-- Such a report that only mail has brought which failed DMARC: it is read again when another delivery brings it.
alter table payload add column failed boolean not null default false;
