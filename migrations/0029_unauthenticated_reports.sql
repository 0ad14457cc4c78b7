-- Reports of which no mail passed as the reporter: anybody can mail a report. They are counted like all others or held,
-- as the organization chooses, and no event rests on them.
alter table organization add column unauthenticated text not null default 'count' check (unauthenticated in ('count', 'hold'));

-- A held delivery that was released is never held again.
alter table raw_message add column released_at timestamptz;

-- Null, as older versions leave it, is the same as false.
alter table report add column unauthenticated boolean;
update report r set unauthenticated = true from parse_warning w
where w.org_id = r.org_id and w.report_id = r.id and w.code = 'report_mail_unauthenticated';
create index report_unauthenticated on report (org_id, domain_id, day, id) include (messages) where unauthenticated;
