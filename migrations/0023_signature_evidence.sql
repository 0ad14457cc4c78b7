-- Aligned DKIM signatures of each report that passed: a broken signature is evidence of forwarding only when its selector
-- has passed before. The row with an empty signer and selector says that any signature has passed.
create table dkim_pass (
  org_id    uuid   not null,
  report_id uuid   not null,
  signer    text   not null collate "C",
  selector  text   not null collate "C",               -- lower case
  domain_id uuid   not null,
  day       date   not null,
  messages  bigint not null,                           -- 0 in the row of any signature
  primary key (org_id, report_id, signer, selector)
);
create index dkim_pass_of_selector on dkim_pass (org_id, domain_id, signer, selector, day) include (messages);

-- Aligned DKIM signatures that did not pass, by source: an own source may sign with a key that was never published.
create table dkim_failure (
  org_id    uuid   not null,
  report_id uuid   not null,
  signer    text   not null collate "C",
  selector  text   not null collate "C",
  source_ip inet   not null,
  domain_id uuid   not null,
  day       date   not null,
  messages  bigint not null,
  primary key (org_id, report_id, signer, selector, source_ip)
);
create index dkim_failure_of_day on dkim_failure (org_id, domain_id, day, source_ip) include (signer, selector, messages);

-- Days on which a selector has begun, or ceased, to be evidence: failing records that carry it are classified again.
create table unjudged_signature (
  org_id    uuid        not null,
  domain_id uuid        not null,
  id        uuid        not null default gen_random_uuid(),
  signer    text        not null collate "C",
  selector  text        not null collate "C",
  from_day  date        not null,
  to_day    date        not null,
  since     timestamptz not null default now(),
  primary key (org_id, domain_id, id)
);
create index unjudged_signature_by_age on unjudged_signature (since);
create index report_failing_of_day on report (org_id, domain_id, day, id) where both_failed > 0;

alter table dkim_pass enable row level security;
create policy own_organization on dkim_pass using (org_id = (select current_organization()));
alter table dkim_failure enable row level security;
create policy own_organization on dkim_failure using (org_id = (select current_organization()));
alter table unjudged_signature enable row level security;
create policy own_organization on unjudged_signature using (org_id = (select current_organization()));

-- What stored reports say, so that a replay finds the evidence; failures only as far back as they matter.
create temporary table signature on commit drop as
select r.org_id, r.report_id, r.domain_id, r.day, r.source_ip, r.messages, x.value ->> 'result' as result,
  x.value ->> 'domain' as signer, coalesce(lower(btrim(x.value ->> 'selector')), '') as selector
from report_record r
  cross join lateral jsonb_array_elements(case jsonb_typeof(r.dkim_results) when 'array' then r.dkim_results end)
    with ordinality as x (value, position)
where r.dkim_aligned[x.position];
-- At most 1,000 of a report, as when reports are judged.
insert into dkim_pass (org_id, report_id, signer, selector, domain_id, day, messages)
select org_id, report_id, signer, selector, domain_id, day, messages from (
  select org_id, report_id, signer, selector, domain_id, day, least(sum(messages), 9007199254740991) as messages,
    row_number() over (partition by org_id, report_id order by signer, selector) as place
  from signature
  where result = 'pass' and length(selector) <= 63 and selector ~ '^[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?$' and length(signer) <= 180
  group by org_id, report_id, signer, selector, domain_id, day) named
where place <= 1000
union all
select distinct org_id, report_id, '', '', domain_id, day, 0 from signature where result = 'pass';
insert into dkim_failure (org_id, report_id, signer, selector, source_ip, domain_id, day, messages)
select org_id, report_id, signer, selector, source_ip, domain_id, day, messages from (
  select org_id, report_id, signer, selector, source_ip, domain_id, day, least(sum(messages), 9007199254740991) as messages,
    row_number() over (partition by org_id, report_id order by signer, selector, source_ip) as place
  from signature
  where result not in ('pass', 'none') and length(selector) <= 63 and selector ~ '^[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?$'
    and length(signer) <= 180 and day >= current_date - 100
  group by org_id, report_id, signer, selector, source_ip, domain_id, day) named
where place <= 1000;

-- Whether forwarding is proved, or only inferred from what a sender can write: true for class likely_forwarded alone. The
-- sums are messages; they are inside those of forwarded. What was judged before is not proved until it is judged again.
-- These statements come last, because their locks keep everything else from the tables.
alter table report_record add column proved boolean not null default false;
alter table source_domain_day add column proved bigint not null default 0;
alter table source_domain add column proved bigint not null default 0;
alter table domain_day add column proved bigint not null default 0;
