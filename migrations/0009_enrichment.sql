-- Records that no sum tells of: their class follows the facts about their source as that of all others does.
create index report_record_without_messages on report_record (org_id, source_ip, day) where messages = 0;

-- What is known of sending addresses: facts about hosts, not about tenants, so they are shared by all organizations.
-- Each kind of lookup has its own age and its own next time; what was never answered is null, and never a guess.
create table ip_enrichment (
  address             inet        primary key,
  named_at            timestamptz not null default now(), -- first mentioned by a report
  mentioned_at        timestamptz not null default now(), -- and lately, to the half day
  is_failing          boolean     not null default false, -- some of its mail failed DMARC
  priority            smallint    not null default 1,     -- 0: new and failing, 1: new, 2: looked up before
  due_at              timestamptz not null default now(), -- when the next lookup is due; while planned, when to plan it anew
  planned             boolean     not null default false,
  ptr_state           text        check (ptr_state in ('confirmed', 'unconfirmed', 'unchecked', 'none')),
  hostname            text,
  ptr_at              timestamptz,
  ptr_due_at          timestamptz not null default now(),
  ptr_tries           smallint    not null default 0,     -- without an answer, in a row
  country_code        text,
  country             text,
  city                text,
  latitude            double precision,
  longitude           double precision,
  asn                 bigint,
  isp                 text,
  geo_build           text,                               -- which data said so
  abuse_score         smallint,                           -- -1: a record that was never scored
  abuse_reports       integer,
  abuse_categories    text[],
  usage_type          text,
  is_tor              boolean,
  abuse_last_reported timestamptz,
  abuse_source        text,
  abuse_at            timestamptz,
  abuse_due_at        timestamptz not null default now(),
  abuse_tries         smallint    not null default 0,
  list_scope          text        check (list_scope in ('ingest', 'full')),
  verdict             jsonb,                              -- what the lists come to
  lists_at            timestamptz,
  lists_due_at        timestamptz not null default now(),
  lists_tries         smallint    not null default 0,
  enriched_at         timestamptz,                        -- the first time that anything was known
  updated_at          timestamptz,
  version             bigint      not null default 0      -- rises when what records are judged by has changed
) with (fillfactor = 70);
create index ip_enrichment_due on ip_enrichment (priority, due_at);
create index ip_enrichment_planned on ip_enrichment (due_at) where planned;

-- The answer of each list that was consulted last.
create table blocklist_result (
  address    inet        not null references ip_enrichment on delete cascade,
  list       text        not null,
  result     jsonb       not null,
  checked_at timestamptz not null,
  primary key (address, list)
);

-- How each list's zones do, by their self-tests: only a working one is consulted.
create table blocklist_zone (
  list         text        not null,
  family       text        not null check (family in ('v4', 'v6')),
  health       jsonb       not null,
  next_test_at timestamptz not null,
  primary key (list, family)
);

-- What has been spent of a budget that others give: lookups a day at a reputation service.
create table lookup_budget (
  service text    not null,
  day     date    not null,
  spent   integer not null,
  refused_until timestamptz,
  primary key (service, day)
);

-- Which organizations have heard of an address: who is told when its facts change.
create table ip_interest (
  address inet not null,
  org_id  uuid not null,
  primary key (address, org_id)
);

-- What an address is to one organization: the service that its mail there shows, and its reputation, for lists.
create table source_standing (
  org_id           uuid   not null,
  source_ip        inet   not null,
  service_slug     text,                                  -- as shown; null: not recognised
  service_strength text   check (service_strength in ('strong', 'medium', 'weak')),
  sender           jsonb,                                 -- with every witness
  abuse_status     text   check (abuse_status in ('clean', 'suspicious', 'malicious', 'unknown')),
  facts_version    bigint not null,                       -- of the facts that it was judged by
  settled          boolean not null,                      -- its failing mail has the classes that follow from this
  primary key (org_id, source_ip)
) with (fillfactor = 80);
create index source_standing_by_reputation on source_standing (org_id, abuse_status, source_ip) where abuse_status is not null;
create index source_standing_by_service on source_standing (org_id, service_slug, abuse_status, source_ip) where service_slug is not null;

-- The same beside the figures, for lists: one walk along a sort's index sees both.
alter table source_total add column abuse_status text, add column service_slug text;
create index source_total_failing_by_standing on source_total (org_id, abuse_status, service_slug) where auth_failures > 0;

-- How many sources have each reputation, for exact totals.
create table source_standing_count (
  org_id       uuid   not null,
  abuse_status text   not null,
  sources      bigint not null,
  primary key (org_id, abuse_status)
) with (fillfactor = 50);

-- Sources whose facts have changed since their mail was judged.
create table unjudged_source (
  org_id    uuid        not null,
  source_ip inet        not null,
  since     timestamptz not null default now(),
  primary key (org_id, source_ip)
);
create index unjudged_source_by_age on unjudged_source (since);
